import { type SQL, sql } from 'drizzle-orm'
import type { Comment, CommentEdit, NewComment } from '../../contract/comments.ts'
import { firstRows, present } from '../db/client.ts'
import { lockCollection } from './collections.ts'
import { commentSeenBy, readComment, type Thread, threadSeenBy } from './comments.ts'
import { answers, type Caller, ITEMS, rolesFor, uuids } from './permissions.ts'
import { type AttemptLimit, attemptsRequired } from './rate-limits.ts'

/** A caller who answers, and how often they may. */
export type Answerer = Caller<'comment.add'> & { limit: AttemptLimit }

/** Lock order of all writers: the item, then the collection. */
export const lockItem = ({ kind, id }: Thread) => sql`select from ${ITEMS[kind].table} where id = ${id} for key share`

export const lockCollectionOf = (commentId: string) =>
  sql`select from collections where id = (select collection_id from comments where id = ${commentId}) for no key update`

/** Those of these people of collection `c` whose name the text contains after an `@`. `ids` is an array. */
export const mentionsIn = (text: SQL | string, ids: SQL) => sql`(
  select coalesce(jsonb_agg(jsonb_build_object('person_id', p.id, 'name', p.name) order by p.name, p.id), '[]') from people p
  where p.collection_id = c.id and p.id = any(${ids}) and position('@' || p.name in ${text}) > 0)`

/** Mentions of comment `s` that another text still contains. */
const mentionsLeftIn = (text: string) => sql`(
  select coalesce(jsonb_agg(x.entry order by x.nth), '[]') from jsonb_array_elements(s.mentions) with ordinality x (entry, nth)
  where position('@' || (x.entry ->> 'name') in ${text}) > 0)`

/** Refusal of an answer, with the name of the collection: nobody may answer there, or only higher roles. */
export type AnswerRefusal = 'missing' | 'off' | 'closed'

/** `case` branches that refuse an answer. Without a row in `seen`, which has `permitted` and `answers`, the caller does not see the item. */
export const refusals = sql`when not exists (select from seen) then 'missing'
  when (select answers from seen) is null then 'off' when not (select permitted from seen) then 'closed'`

export interface CommentWrite<O extends string> {
  outcome: O
  name: string | null
  comment: Comment | null
}

type Insertion = AnswerRefusal | 'unknown' | 'deleted' | 'existing' | 'made'

/** Inserts the comment, or nothing. Throws 429 at the limit. `comment` is the row with this id if the caller wrote it on this item, whether now or earlier. */
export async function insertComment(
  { db, user, checks, limit }: Answerer,
  thread: Thread,
  { id, text, mentions, replyTo }: NewComment & { id: string },
): Promise<CommentWrite<Insertion>> {
  const userId = user.id
  const { kind, collectionId } = thread
  const { key } = ITEMS[kind]
  const own = sql`s.user_id = ${userId} and s.collection_id = ${collectionId} and s.${key} = ${thread.id}`
  const [, , , outcome, found] = await firstRows<
    [unknown, unknown, unknown, Omit<CommentWrite<Insertion>, 'comment'>, { comment: Comment }]
  >(
    db,
    attemptsRequired(limit),
    lockItem(thread),
    lockCollection(collectionId),
    sql`with seen as materialized (
      select c.name, c.answers, ${answers(checks['comment.add'])} as permitted, ${mentionsIn(text, uuids(mentions ?? []))} as mentions ${threadSeenBy(userId, thread)}
    ),
    answered as materialized (
      select s.deleted_at from comments s where s.id = ${replyTo ?? null}::uuid and s.collection_id = ${collectionId} and s.${key} = ${thread.id}
    ),
    decision as materialized (
      select case when not exists (select from seen) then 'missing' when exists (select from comments where id = ${id}) then 'existing' ${refusals}
        when ${replyTo !== undefined} and not exists (select from answered) then 'unknown'
        when (select deleted_at from answered) is not null then 'deleted' else 'made' end as outcome
    ),
    made as (
      insert into comments (id, collection_id, ${key}, user_id, text, mentions, reply_to, created_at)
      select ${id}::uuid, ${collectionId}::uuid, ${thread.id}::uuid, ${userId}, ${text}, seen.mentions, ${replyTo ?? null}::uuid, clock_timestamp()
      from seen, decision where decision.outcome = 'made' on conflict (id) do nothing returning id
    )
    select case when outcome = 'made' and not exists (select from made) then 'existing' else outcome end as outcome, (select name from seen) as name from decision`,
    sql`${readComment(userId, id)} and ${own}`,
  )
  return { ...present(outcome), comment: found?.comment ?? null }
}

type Change = AnswerRefusal | 'foreign' | 'forbidden' | 'conflict' | 'done'

/** Changes only the given fields: the author the text, an admin whether it is hidden. `version` null accepts any, and any will do for words that it has already. */
export async function updateComment(
  { db, user, checks, limit }: Answerer & Caller<'comment.hide'>,
  { id, version }: { id: string; version: number | null },
  { text, mentions, hidden }: CommentEdit,
): Promise<CommentWrite<Change>> {
  const userId = user.id
  const [, , outcome, found] = await firstRows<[unknown, unknown, Omit<CommentWrite<Change>, 'comment'>, { comment: Comment }]>(
    db,
    attemptsRequired(limit),
    lockCollectionOf(id),
    sql`with seen as materialized (
      select c.name, c.answers, ${answers(checks['comment.add'])} as permitted, m.role = any(${rolesFor(checks['comment.hide'])}) as admin,
        s.user_id = ${userId} as own, s.version, s.text, s.mentions as mentioned,
        ${mentions ? mentionsIn(text ?? '', uuids(mentions)) : mentionsLeftIn(text ?? '')} as mentions
      ${commentSeenBy(userId, id)} and s.deleted_at is null
    ),
    decision as materialized (
      select case when not exists (select from seen) then 'missing'
        when ${text !== undefined} and not (select own from seen) then 'foreign'
        when ${hidden !== undefined} and not (select admin from seen) then 'forbidden'
        when ${version}::int <> (select version from seen)
          and not exists (select from seen where text = ${text ?? null} and mentioned = mentions) then 'conflict'
        when ${text === undefined} then 'done' ${refusals} else 'done' end as outcome
    ),
    changed as (
      update comments s set
        text = coalesce(${text ?? null}, s.text), mentions = case when ${text !== undefined} then seen.mentions else s.mentions end,
        edited_at = case when s.text <> ${text ?? null} then now() else s.edited_at end,
        hidden_at = case when ${hidden === undefined} then s.hidden_at when ${hidden === true} then coalesce(s.hidden_at, now()) end,
        hidden_by = case when ${hidden === undefined} then s.hidden_by when ${hidden === true} then coalesce(s.hidden_by, ${userId}) end
      from seen, decision where s.id = ${id} and decision.outcome = 'done'
    )
    select outcome, (select name from seen) as name from decision`,
    readComment(userId, id),
  )
  return { ...present(outcome), comment: found?.comment ?? null }
}

/** Deletes an own comment. Throws 429 at the limit. `changeId` undoes it; of one that they have deleted already, it is the id of then. */
export async function deleteComment(
  { db, user, checks, limit }: Answerer,
  id: string,
  changeId: string,
): Promise<{ outcome: 'missing' | 'foreign' | 'done'; changeId: string }> {
  const userId = user.id
  const mayOwn = sql`s.user_id = ${userId} and m.role = any(${rolesFor(checks['comment.add'])})`
  const [, , row] = await firstRows<[unknown, unknown, { outcome: 'missing' | 'foreign' | 'done'; changeId: string }]>(
    db,
    attemptsRequired(limit),
    lockCollectionOf(id),
    sql`with seen as materialized (select s.id, ${mayOwn} as own ${commentSeenBy(userId, id)} and s.deleted_at is null),
    before as materialized (
      select e.id from edits e where e.user_id = ${userId} and e.action = 'deleteComment' and e.scope ->> 'comment' = ${id} and e.undone_at is null
        and exists (select ${commentSeenBy(userId, id)} and ${mayOwn} and s.deleted_at is not null)
      order by e.created_at desc limit 1
    ),
    recorded as (
      insert into edits (id, user_id, action, scope, before)
      select ${changeId}::uuid, ${userId}, 'deleteComment', jsonb_build_object('comment', id), '{}' from seen where own
    ),
    gone as (update comments s set deleted_at = now() from seen where s.id = seen.id and seen.own)
    select case when own or before is not null then 'done' when own is null then 'missing' else 'foreign' end as outcome,
      coalesce(before, ${changeId}::uuid) as "changeId"
    from (select (select own from seen) as own, (select id from before) as before) decision`,
  )
  return present(row)
}

/** Brings a comment of the caller back that this edit deleted. Throws 429 at the limit. False if they do not see its item by now, or it has been undone. */
export async function undoCommentDeletion({ db, user, checks, limit }: Answerer, changeId: string): Promise<boolean> {
  const userId = user.id
  const own = sql`e.id = ${changeId} and e.user_id = ${userId}`
  const commentId = sql`(select (e.scope ->> 'comment')::uuid from edits e where ${own})`
  const [, , , row] = await firstRows<[unknown, unknown, unknown, { done: boolean }]>(
    db,
    attemptsRequired(limit),
    sql`select from edits e where ${own} for no key update of e`,
    sql`select from collections where id = (select collection_id from comments where id = ${commentId}) for no key update`,
    sql`with seen as materialized (
      select s.id ${commentSeenBy(userId, commentId)} and s.user_id = ${userId} and m.role = any(${rolesFor(checks['comment.add'])})
        and exists (select from edits e where ${own} and e.undone_at is null)
    ),
    back as (update comments s set deleted_at = null from seen where s.id = seen.id and s.deleted_at is not null),
    undone as (update edits e set undone_at = now() where ${own} and exists (select from seen))
    select exists (select from seen) as done`,
  )
  return present(row).done
}
