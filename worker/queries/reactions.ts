import { type SQL, sql } from 'drizzle-orm'
import { LIMITS } from '../../contract/limits.ts'
import type { Reaction } from '../../contract/reactions.ts'
import { firstRows, present } from '../db/client.ts'
import { reactionsBy } from './answers.ts'
import { lockCollection } from './collections.ts'
import { commentSeenBy, readable, type Thread, threadSeenBy } from './comments.ts'
import { answers, type Caller, ITEMS, rolesFor } from './permissions.ts'
import { attemptsRequired } from './rate-limits.ts'
import { type Answerer, type AnswerRefusal, lockCollectionOf, lockItem, refusals } from './write-comments.ts'

/** What a reaction is to: an item in a collection, or a comment. */
export type ReactionTarget = Thread | { commentId: string }

export interface ReactionWrite {
  outcome: AnswerRefusal | 'full' | 'done'
  /** Of the collection. */
  name: string | null
  reactions: Reaction[]
}

interface Parts {
  locks: [item: SQL, collection: SQL]
  /** `from …` with `m` and `c`, if the caller sees the target. */
  seen: SQL
  /** Column of `reactions` and its value. */
  key: SQL
  id: string
  /** True for reactions `r` to the target. */
  here: SQL
}

function partsOf(userId: string, target: ReactionTarget): Parts {
  if ('commentId' in target) {
    const id = target.commentId
    return {
      locks: [sql`select`, lockCollectionOf(id)],
      seen: sql`${commentSeenBy(userId, id)} and ${readable(userId)}`,
      key: sql`comment_id`,
      id,
      here: sql`r.comment_id = ${id}`,
    }
  }
  const { key } = ITEMS[target.kind]
  return {
    locks: [lockItem(target), lockCollection(target.collectionId)],
    seen: threadSeenBy(userId, target),
    key,
    id: target.id,
    here: sql`r.${key} = ${target.id} and r.collection_id = ${target.collectionId}`,
  }
}

const readReactions = (userId: string, { key, here, seen }: Parts) =>
  sql`select list as reactions from (${reactionsBy(userId, sql`r.${key}`, here)}) felt where exists (select ${seen})`

/** Not those of others that they imported. */
const ownReaction = (userId: string) => sql`(r.user_id = ${userId} and r.original_author is null)`

/** Adds a reaction of the caller, unless they have it already. Throws 429 at the limit. `full`: they have as many kinds there as they may have. */
export async function insertReaction({ db, user, checks, limit }: Answerer, target: ReactionTarget, emoji: string): Promise<ReactionWrite> {
  const userId = user.id
  const parts = partsOf(userId, target)
  const mine = sql`from reactions r where ${parts.here} and ${ownReaction(userId)}`
  const [, , , outcome, after] = await firstRows<
    [unknown, unknown, unknown, Omit<ReactionWrite, 'reactions'>, Pick<ReactionWrite, 'reactions'>]
  >(
    db,
    attemptsRequired(limit),
    ...parts.locks,
    sql`with seen as materialized (select c.id, c.name, c.answers, ${answers(checks['comment.add'])} as permitted ${parts.seen}),
    decision as materialized (
      select case ${refusals} when not exists (select ${mine} and r.emoji = ${emoji}) and (select count(*) ${mine}) >= ${LIMITS.reactionsPerPerson}
        then 'full' else 'done' end as outcome
    ),
    made as (
      insert into reactions (collection_id, ${parts.key}, user_id, emoji, created_at)
      select seen.id, ${parts.id}::uuid, ${userId}, ${emoji}, clock_timestamp() from seen, decision
      where decision.outcome = 'done' and not exists (select ${mine} and r.emoji = ${emoji})
    )
    select outcome, (select name from seen) as name from decision`,
    readReactions(userId, parts),
  )
  return { ...present(outcome), reactions: after?.reactions ?? [] }
}

/** Takes a reaction of the caller back, also where nobody may answer by now. Null if they do not see the target. */
export async function deleteReaction(
  { db, user, checks }: Caller<'comment.add'>,
  target: ReactionTarget,
  emoji: string,
): Promise<Reaction[] | null> {
  const userId = user.id
  const parts = partsOf(userId, target)
  const [, , outcome, after] = await firstRows<[unknown, unknown, { seen: boolean }, Pick<ReactionWrite, 'reactions'>]>(
    db,
    ...parts.locks,
    sql`with seen as materialized (select c.id ${parts.seen} and m.role = any(${rolesFor(checks['comment.add'])})),
    gone as (delete from reactions r using seen where ${parts.here} and ${ownReaction(userId)} and r.emoji = ${emoji})
    select exists (select from seen) as seen`,
    readReactions(userId, parts),
  )
  return present(outcome).seen ? (after?.reactions ?? []) : null
}
