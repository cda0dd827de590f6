import { type SQL, sql } from 'drizzle-orm'

// Of a comment hear the author of the item, whoever commented on it before, and whoever it mentions: by notification and in the feed.

/** Whether comment `s` is news: others see it, and it was not imported. */
export const IS_NEWS = sql`s.deleted_at is null and s.hidden_at is null and s.original_author is null`

/** Whether comment `s` makes its author hear of later ones on the item. A hidden one does, since its author does not know. */
export const TAKES_PART = sql`s.deleted_at is null and s.original_author is null`

/** Whether comment `s` mentions this person. */
export const mentions = (person: SQL) => sql`s.mentions @> jsonb_build_array(jsonb_build_object('person_id', ${person}))`
