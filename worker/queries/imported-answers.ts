import { sql } from 'drizzle-orm'
import type { ImportedAnswers } from '../../contract/imported-answers.ts'
import { firstRows, present } from '../db/client.ts'
import { lockCollection } from './collections.ts'
import { type Thread, threadSeenBy } from './comments.ts'
import { answers, type Caller, ITEMS, rolesFor, uuids } from './permissions.ts'
import { attemptsRequired } from './rate-limits.ts'
import { type Answerer, type AnswerRefusal, lockItem, mentionsIn, refusals } from './write-comments.ts'

interface Outcome {
  /** `foreign`: the item is somebody else's, or the caller may add nothing. `taken`: an id is that of another comment. `unknown`: a comment that is referred to is not there. */
  outcome: AnswerRefusal | 'foreign' | 'taken' | 'unknown' | 'made'
  /** Of the collection. */
  name: string | null
  comments: number
  reactions: number
}

/** Inserts, as the caller's, what is not there yet: a comment with the same id is the same one. Or nothing, unless the outcome is `made`. Throws 429 at the limit, which counts comments and reactions. */
export async function insertImported(
  { db, user, checks, limit }: Answerer & Caller<'item.add'>,
  thread: Thread,
  { comments, reactions }: Pick<ImportedAnswers, 'comments' | 'reactions'>,
): Promise<Outcome> {
  const userId = user.id
  const { kind, id, collectionId } = thread
  const { table, key } = ITEMS[kind]
  const here = sql`s.user_id = ${userId} and s.collection_id = ${collectionId} and s.${key} = ${id} and s.original_author is not null`
  const ids = new Set(comments.map((comment) => comment.id))
  const referred = [...comments.map(({ replyTo }) => replyTo), ...reactions.map(({ commentId }) => commentId)]
  const earlier = [...new Set(referred.filter((other) => other !== undefined && !ids.has(other)))] as string[]
  const [, , , outcome] = await firstRows<[unknown, unknown, unknown, Outcome]>(
    db,
    attemptsRequired(limit, Math.max(1, comments.length + reactions.length)),
    lockItem(thread),
    lockCollection(collectionId),
    sql`with seen as materialized (
      select c.id, c.name, c.answers, ${answers(checks['comment.add'])} as permitted, m.role = any(${rolesFor(checks['item.add'])})
        and exists (select from ${table} i where i.id = ${id} and i.user_id = ${userId}) as own ${threadSeenBy(userId, thread)}
    ),
    given as materialized (
      select g.* from jsonb_to_recordset(${JSON.stringify(comments)}::jsonb) g (id uuid, "originalAuthor" text, text text, mentions uuid[], "replyTo" uuid,
        "createdAt" timestamptz, "editedAt" timestamptz)
    ),
    felt as materialized (
      select g.* from rows from (jsonb_to_recordset(${JSON.stringify(reactions)}::jsonb) as ("originalAuthor" text, emoji text, "commentId" uuid))
        with ordinality g ("originalAuthor", emoji, "commentId", nth)
    ),
    decision as materialized (
      select case when not exists (select from seen) then 'missing' when not (select own from seen) then 'foreign' ${refusals}
        when exists (select from comments s join given g on g.id = s.id where not (${here})) then 'taken'
        when exists (select from unnest(${uuids(earlier)}) e (id) where not exists (select from comments s where s.id = e.id and ${here})) then 'unknown'
        else 'made' end as outcome
    ),
    said as (
      insert into comments (id, collection_id, ${key}, user_id, original_author, text, mentions, reply_to, created_at, edited_at)
      select g.id, c.id, ${id}::uuid, ${userId}, g."originalAuthor", g.text, ${mentionsIn(sql`g.text`, sql`g.mentions`)}, g."replyTo",
        least(g."createdAt", now()), case when g."editedAt" is not null then least(greatest(g."editedAt", g."createdAt"), now()) end
      from given g, seen c, decision where decision.outcome = 'made' on conflict (id) do nothing returning id
    ),
    -- In the order in which they are given.
    chosen as (
      insert into reactions (collection_id, ${key}, comment_id, user_id, original_author, emoji, created_at)
      select c.id, case when r."commentId" is null then ${id}::uuid end, r."commentId", ${userId}, r."originalAuthor", r.emoji,
        now() + r.nth * interval '1 microsecond'
      from felt r, seen c, decision where decision.outcome = 'made' on conflict do nothing returning id
    )
    select outcome, (select name from seen) as name, (select count(*) from said)::int as comments, (select count(*) from chosen)::int as reactions
    from decision`,
  )
  return present(outcome)
}
