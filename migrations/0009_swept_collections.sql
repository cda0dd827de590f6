-- Collections that the sweep removes for good.
CREATE INDEX "collections_deleted" ON "collections" USING btree ("deleted_at") WHERE deleted_at is not null;