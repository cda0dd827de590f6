import { expect, test } from 'vitest'
import { newId } from '../../../contract/ids.ts'
import { ImportedAnswers } from '../../../contract/imported-answers.ts'
import { LIMITS } from '../../../contract/limits.ts'
import { portionsOf } from './portions.ts'

const createdAt = '2019-05-01T10:00:00Z'
const comment = (more: object = {}) => ({ id: newId(), originalAuthor: 'Ada', text: 'Lovely', createdAt, ...more })
const scope = ['ada', newId(), newId()]

test('Ten thousand long comments become calls that the server takes, each comment after the one that it answers', async () => {
  const text = '𠮷'.repeat(LIMITS.comment)
  const first = comment({ text })
  const comments = [first, ...Array.from({ length: 9_999 }, () => comment({ replyTo: first.id, text: Math.random() < 0.1 ? text : 'Yes' }))]
  const reactions = comments.slice(0, 300).map(({ id }) => ({ originalAuthor: 'Tom', emoji: '🎉', commentId: id }))
  const portions = await portionsOf({ comments, reactions }, scope)
  const sent = new Set<string>()
  for (const part of portions) {
    const body = { collection_id: newId(), ...part }
    expect(ImportedAnswers.safeParse(body).error).toBeUndefined()
    expect(new TextEncoder().encode(JSON.stringify(body)).length).toBeLessThan(LIMITS.jsonBody)
    for (const { id, replyTo } of part.comments) {
      expect(replyTo === undefined || sent.has(replyTo)).toBe(true)
      sent.add(id)
    }
    for (const { commentId } of part.reactions) expect(sent.has(commentId ?? '')).toBe(true)
  }
  expect(sent.size).toBe(10_000)
  expect(portions.flatMap((part) => part.reactions)).toHaveLength(300)
})

test('Ids are the same for each import to the same item, and others for another item', async () => {
  const answers = { comments: [comment()], reactions: [] }
  const idsIn = async (to: string[]) => (await portionsOf(answers, to)).flatMap(({ comments }) => comments.map(({ id }) => id))
  expect(await idsIn(scope)).toEqual(await idsIn(scope))
  expect(await idsIn(scope)).not.toEqual(await idsIn([...scope.slice(0, 2), newId()]))
})
