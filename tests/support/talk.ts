import { listAssets } from '../../contract/assets.ts'
import type { Comment } from '../../contract/comments.ts'
import { newId } from '../../contract/ids.ts'
import { listPosts } from '../../contract/posts.ts'
import type { Answers, Reaction } from '../../contract/reactions.ts'
import type { Answer } from '../../dev/http-client.ts'
import type { World } from './world.ts'

/** An item of the world's collection. */
export interface Topic {
  kind: 'post' | 'asset'
  id: string
}

/** What people of a world say and read about items of its collection. */
export function talkIn(w: World, collection = w.collection.id) {
  const pathOf = ({ kind, id }: Topic) => `/api/${kind}/${id}`
  const query = `collection_id=${collection}`

  async function post(who = 'ada', collectionIds = [collection]): Promise<Topic> {
    const { status, body } = await w.as(who).post('/api/post', { type: 'note', title: 'Kyoto', collectionIds })
    if (status !== 201) throw new Error(`No post: ${JSON.stringify(body)}`)
    return { kind: 'post', id: body.post.id }
  }

  const say = (who: string, topic: Topic, text = 'Lovely', more: object = {}): Promise<Answer> =>
    w.as(who).post(`${pathOf(topic)}/comments`, { collection_id: collection, text, ...more })

  async function said(who: string, topic: Topic, text?: string, more?: object): Promise<Comment> {
    const { status, body } = await say(who, topic, text, more)
    if (status !== 201) throw new Error(`No comment: ${status} ${JSON.stringify(body)}`)
    return body.comment
  }

  const list = (who: string, topic: Topic, more = '') => w.as(who).get(`${pathOf(topic)}/comments?${query}${more}`)
  const heard = async (who: string, topic: Topic): Promise<Comment[]> => (await list(who, topic)).body.comments

  const reactionPath = (topic: Topic | Comment, emoji: string) =>
    'kind' in topic
      ? `${pathOf(topic)}/reactions/${encodeURIComponent(emoji)}?${query}`
      : `/api/comments/${topic.id}/reactions/${encodeURIComponent(emoji)}`
  const react = (who: string, topic: Topic | Comment, emoji: string) => w.as(who).put(reactionPath(topic, emoji))
  const takeBack = (who: string, topic: Topic | Comment, emoji: string) => w.as(who).delete(reactionPath(topic, emoji))

  /** The page of the list on which the item is, in both forms, which must be the same. */
  async function page(who: string, kind: Topic['kind'], more = '') {
    const address = `/api/${kind}?${query}${more}`
    const [rows, columns] = [await w.as(who).get(address), await w.as(who).get(`${address}&form=columns`)]
    const call = kind === 'post' ? listPosts : listAssets
    const [one, other] = [call.response.parse(rows.body), call.columns.parse(columns.body)]
    if (JSON.stringify(one) !== JSON.stringify(other)) throw new Error('The forms of the list differ')
    const items = 'posts' in one ? one.posts : one.assets
    return {
      items: new Map(items.map((item) => [item.id, item])),
      deleted: one.deleted,
      revision: one.revision,
      etag: rows.headers.get('etag'),
    }
  }

  async function answers(who: string, { kind, id }: Topic): Promise<Answers | null | undefined> {
    return (await page(who, kind)).items.get(id)?.answers
  }

  async function revision(): Promise<number> {
    const [row] = await w.sql`select revision::int from collections where id = ${collection}`
    return row?.revision
  }

  async function setAnswers(answers: string | null): Promise<void> {
    await w.as('ada').put(`/api/collections/${collection}`, { answers })
  }

  async function person(name: string, userId?: string): Promise<string> {
    const id = newId()
    await w.sql`insert into people (id, collection_id, name, user_id) values (${id}, ${collection}, ${name}, ${userId ?? null})`
    return id
  }

  return { post, say, said, list, heard, react, takeBack, page, answers, revision, setAnswers, person, pathOf, query }
}

/** A reaction without the names of who chose it. */
export const short = (reactions: readonly Reaction[]) => reactions.map(({ emoji, count, mine }) => ({ emoji, count, mine }))
