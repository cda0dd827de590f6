import { listText } from '#language'
import { plural, t } from '#say'
import { commentsPath } from '../../contract/comments-path.ts'
import { collectionRoom } from '../../contract/live.ts'
import { personName } from '../../contract/person-name.ts'
import type { PushMessage } from '../../contract/push.ts'
import { nameInMail } from '../content/mail-content.ts'
import { mediaTexts } from '../content/media-texts.ts'
import { connect, type Db } from '../db/client.ts'
import type { Env } from '../env.ts'
import { inLanguage, languageOfReader } from '../language.ts'
import { usersIn } from '../live/party-host.ts'
import { nameIn, pushToUsers } from '../push/send.ts'
import { vapidOf } from '../push/vapid.ts'
import { claimNews, MAX_COUNTED, type News } from '../queries/news.ts'
import { type AnswerNews, claimAnswers } from '../queries/push-answers.ts'

/**
 * Notifies members of items added by others, and of comments that concern them: at most one message of each per collection every few minutes. Members who
 * look at the collection get none.
 */
export async function pushNews(env: Env): Promise<void> {
  if (!vapidOf(env)) return
  const db = connect(env.DATABASE_URL, env.NEON_PROXY)
  // What is claimed is sent at once: a failure of the one does not lose the other.
  const done = await Promise.allSettled([pushAdded(env, db), pushSaid(env, db)])
  for (const one of done) if (one.status === 'rejected') throw one.reason
}

async function pushAdded(env: Env, db: Db): Promise<void> {
  const added = (await claimNews(db)).map((one) => ({
    ...one,
    tag: `news ${one.collectionId}`,
    body: inLanguage(languageOfReader(one), () => bodyOf(one)),
    path: '/feed',
  }))
  await push(env, db, added)
}

async function pushSaid(env: Env, db: Db): Promise<void> {
  const said = (await claimAnswers(db)).map((one) => ({
    ...one,
    tag: `comments ${one.collectionId}`,
    body: inLanguage(languageOfReader(one), () => bodyOfAnswers(one)),
    path: one.item ? commentsPath(one.collectionId, one.item) : '/feed',
  }))
  await push(env, db, said)
}

type Told = Pick<News, 'userId' | 'collectionId' | 'collection'> & Pick<PushMessage, 'tag' | 'body' | 'path'>

async function push(env: Env, db: Db, told: Told[]): Promise<void> {
  const news = await withoutPresentMembers(env, told)
  const pushes = news.map(({ userId, collection, body, path, tag }) => ({
    userIds: [userId],
    message: { title: nameIn(collection), body, path, tag },
  }))
  await pushToUsers(env, db, pushes)
}

/** Removes the news of members who look at the collection. If the room does not answer, all stay. */
async function withoutPresentMembers(env: Env, news: Told[]): Promise<Told[]> {
  const rooms = [...new Set(news.map(({ collectionId }) => collectionId))]
  const present = await Promise.all(rooms.map(async (id) => [id, new Set(await usersIn(env, collectionRoom(id)).catch(() => []))] as const))
  const inRoom = new Map(present)
  return news.filter(({ collectionId, userId }) => !inRoom.get(collectionId)?.has(userId))
}

/** Who added how much. The counts add up to at most MAX_COUNTED. */
type Added = Pick<News, 'author' | 'others' | 'posts' | 'photos' | 'videos' | 'files'>

/** “Ana added 42 photos”, “Ana and 2 others added 3 posts and 1 video”. */
export function bodyOf(added: Added): string {
  const { who, items } = partsOf(added)
  return t`${who} added ${items}`
}

/** “Ana added 42 photos. They wait for you”. */
export function bodyOfWaiting(added: Added): string {
  const { who, items } = partsOf(added)
  return t`${who} added ${items}. They wait for you`
}

/** “Ana added 42 photos to the collection “Kyoto”.”, for mails; the author's name is safe in them already (nameInMail). */
export function sentenceOf(added: Added, collection: string): string {
  const { who, items } = partsOf(added)
  const plain = nameInMail(collection)
  return plain ? t`${who} added ${items} to the collection “${{ collection: plain }}”.` : t`${who} added ${items} to a collection.`
}

function partsOf({ author, others, posts, ...media }: Added): { who: string; items: string } {
  const who = whoOf(author, others)
  if (posts + media.photos + media.videos + media.files >= MAX_COUNTED)
    return { who, items: t`more than ${{ count: MAX_COUNTED - 1 }} items` }
  const written = posts > 0 ? [t`${plural({ count: posts }, { one: '# post', other: '# posts' })}`] : []
  return { who, items: listText([...mediaTexts(media), ...written]) }
}

/** “Ana wrote a comment”, “Ana and 2 others wrote 5 comments and mentioned you”. */
export function bodyOfAnswers({
  author,
  others,
  comments: count,
  mentioned,
}: Pick<AnswerNews, 'author' | 'others' | 'comments' | 'mentioned'>): string {
  const who = whoOf(author, others)
  if (count === 1) return mentioned ? t`${who} mentioned you in a comment` : t`${who} wrote a comment`
  return mentioned
    ? t`${who} wrote ${plural(count, { one: '# comment', other: '# comments' })} and mentioned you`
    : t`${who} wrote ${plural(count, { one: '# comment', other: '# comments' })}`
}

function whoOf(author: string, others: number): string {
  const name = nameIn(personName(author))
  return others === 0 ? name : t`${name} and ${plural({ count: others }, { one: '# other', other: '# others' })}`
}
