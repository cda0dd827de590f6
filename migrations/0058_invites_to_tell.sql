CREATE TABLE "invites_to_tell" (
	"invite_id" uuid PRIMARY KEY NOT NULL,
	"due_at" timestamp with time zone NOT NULL
);
--> statement-breakpoint
ALTER TABLE "invites_to_tell" ADD CONSTRAINT "invites_to_tell_invite_id_invites_id_fk" FOREIGN KEY ("invite_id") REFERENCES "public"."invites"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "invites_to_tell_due" ON "invites_to_tell" USING btree ("due_at");