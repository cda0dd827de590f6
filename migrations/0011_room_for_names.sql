-- A hundred characters as people count them may be many code points each; the contract cuts at 32 times the limit.
ALTER TABLE "collections" DROP CONSTRAINT "collections_name";--> statement-breakpoint
ALTER TABLE "people" DROP CONSTRAINT "people_name";--> statement-breakpoint
ALTER TABLE "tokens" DROP CONSTRAINT "tokens_name";--> statement-breakpoint
ALTER TABLE "collections" ADD CONSTRAINT "collections_name" CHECK (length("collections"."name") between 1 and 3200);--> statement-breakpoint
ALTER TABLE "people" ADD CONSTRAINT "people_name" CHECK (length("people"."name") between 1 and 3200);--> statement-breakpoint
ALTER TABLE "tokens" ADD CONSTRAINT "tokens_name" CHECK (length("tokens"."name") between 1 and 3200);
