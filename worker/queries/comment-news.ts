import { type SQL, sql } from 'drizzle-orm'

// The author of an item, whoever has commented on it before, and whoever a comment mentions hear of the comment, by notification and in the feed.

/** Whether comment `s` was written here, not imported, and is not deleted. Its author hears of later ones, even if it is hidden, which they do not know. */
export const IS_WRITTEN = sql`s.deleted_at is null and s.original_author is null`

/** Whether comment `s` is news to others. */
export const IS_NEWS = sql`${IS_WRITTEN} and s.hidden_at is null`

/** Whether comment `s` mentions this person. */
export const mentions = (person: SQL) => sql`s.mentions @> jsonb_build_array(jsonb_build_object('person_id', ${person}))`
