import { commentsPath } from '../../contract/comments-path.ts'
import { collectionRoom } from '../../contract/live.ts'
import { connect } from '../db/client.ts'
import type { Env } from '../env.ts'
import { usersIn } from '../live/party-host.ts'
import { nameIn, pushToUsers } from '../push/send.ts'
import { vapidOf } from '../push/vapid.ts'
import { claimNews, MAX_COUNTED, type News } from '../queries/push.ts'
import { type AnswerNews, claimAnswers } from '../queries/push-answers.ts'

/**
 * Notifies members of items added by others, and of comments that concern them: at most one message of each per collection every few minutes. Members in
 * its room get none.
 */
export async function pushNews(env: Env): Promise<void> {
  if (!vapidOf(env)) return
  const db = connect(env.DATABASE_URL, env.NEON_PROXY)
  const added = (await claimNews(db)).map((one) => ({ ...one, tag: `news ${one.collectionId}`, body: bodyOf(one), path: '/feed' }))
  const said = (await claimAnswers(db)).map((one) => ({
    ...one,
    tag: `comments ${one.collectionId}`,
    body: bodyOfAnswers(one),
    path: one.item ? commentsPath(one.collectionId, one.item) : '/feed',
  }))
  const news = await withoutPresentMembers(env, [...added, ...said])
  const pushes = news.map(({ userId, collection, body, path, tag }) => ({
    userIds: [userId],
    message: { title: nameIn(collection), body, path, tag },
  }))
  await pushToUsers(env, db, pushes)
}

/** Removes the news of members who are in the collection's room. If the room does not answer, all stay. */
async function withoutPresentMembers<N extends Pick<News, 'userId' | 'collectionId'>>(env: Env, news: N[]): Promise<N[]> {
  const rooms = [...new Set(news.map(({ collectionId }) => collectionId))]
  const present = await Promise.all(rooms.map(async (id) => [id, new Set(await usersIn(env, collectionRoom(id)).catch(() => []))] as const))
  const inRoom = new Map(present)
  return news.filter(({ collectionId, userId }) => !inRoom.get(collectionId)?.has(userId))
}

/** “Ana added 42 photos”, “Ana and 2 others added 3 posts and 1 video”. */
export function bodyOf({ author, others, posts, photos, videos, files }: Omit<News, 'userId' | 'collectionId' | 'collection'>): string {
  const who = whoOf(author, others)
  if (posts + photos + videos + files >= MAX_COUNTED) return `${who} added more than ${(MAX_COUNTED - 1).toLocaleString('en')} items`
  const what = [counted(photos, 'photo'), counted(videos, 'video'), counted(files, 'file'), counted(posts, 'post')].filter(
    (part) => part !== null,
  )
  return `${who} added ${[what.slice(0, -1).join(', '), what.at(-1)].filter(Boolean).join(' and ')}`
}

/** “Ana wrote a comment”, “Ana and 2 others wrote 5 comments and mentioned you”. */
export function bodyOfAnswers({
  author,
  others,
  comments,
  mentioned,
}: Pick<AnswerNews, 'author' | 'others' | 'comments' | 'mentioned'>): string {
  const who = whoOf(author, others)
  if (comments === 1) return mentioned ? `${who} mentioned you in a comment` : `${who} wrote a comment`
  return `${who} wrote ${comments.toLocaleString('en')} comments${mentioned ? ' and mentioned you' : ''}`
}

const whoOf = (author: string, others: number) =>
  others === 0 ? nameIn(author) : `${nameIn(author)} and ${others} ${others === 1 ? 'other' : 'others'}`

function counted(count: number, noun: string): string | null {
  return count === 0 ? null : `${count} ${noun}${count === 1 ? '' : 's'}`
}
