import { expect, test } from 'vitest'
import type { Comment } from '../../../contract/comments.ts'
import { newId } from '../../../contract/ids.ts'
import type { Action, Operation } from '../outbox/types.ts'
import { countWith, reactionsWith, type Subject, withPending } from './pending.ts'

const [COLLECTION, POST] = [newId(), newId()]
const ME = { id: 'ada', name: 'Ada' }
const item = { kind: 'post', id: POST } as const
const SUBJECT: Subject = { collectionId: COLLECTION, item }

const operation = (action: Action, more: Partial<Operation> = {}): Operation => ({
  ...{ id: newId(), userId: ME.id, collectionId: COLLECTION, seq: 1, action, title: '', state: 'waiting', uncertain: false },
  ...{ undone: false, attempts: 0, problem: null, theirs: null, changeId: null },
  ...more,
})
const write = (text: string, replyTo?: string) => {
  const comment = { id: newId(), collection_id: COLLECTION, text, ...(replyTo ? { replyTo } : {}) }
  return { kind: 'comment', item, comment, author: ME.name } satisfies Action
}
const shown = (comments: readonly Comment[], operations: Operation[]) => withPending(comments, operations, SUBJECT, ME)
const react = (on: boolean) => operation({ kind: 'react', item, commentId: null, emoji: '👍', on })

test('A comment is shown before it is sent, once when the server has it too, and with the reason when it is refused', () => {
  const action = write('Hello')
  const [pending] = shown([], [operation(action)])
  expect(pending).toMatchObject({ id: action.comment.id, text: 'Hello', author: ME, version: 0 })
  const saved: Comment = { ...(pending as Comment), version: 1 }
  expect(shown([saved], [operation(action)])).toEqual([saved])
  const problem = { code: 'forbidden', message: 'Comments are turned off', fields: {} }
  expect(shown([], [operation(action, { state: 'refused', problem })])[0]?.problem?.message).toBe('Comments are turned off')
  expect(shown([], [operation(action, { undone: true })])).toEqual([])
  expect(shown([], [operation(action, { collectionId: newId() })])).toEqual([])
})

test('A deleted comment stays without its text while another answers it, and comes back when that is undone', () => {
  const first = write('First')
  const [comment] = shown([], [operation(first)]) as [Comment]
  const gone = operation({ kind: 'deleteComment', item, id: comment.id, was: comment })
  expect(shown([comment], [gone])).toEqual([])
  const answered = shown([comment], [operation(write('Second', comment.id)), gone])
  expect(answered.map(({ state, text }) => [state, text])).toContainEqual(['deleted', ''])
  const back = operation({ kind: 'undo', changeId: newId(), posts: [], assets: [], comment })
  expect(shown([comment], [gone, back])).toEqual([comment])
})

test('Adding a reaction twice counts once, and taking it back leaves what others chose', () => {
  const bobs = [{ emoji: '👍', count: 1, mine: false, who: [{ id: 'bob', name: 'Bob' }] }]
  const both = reactionsWith(bobs, [react(true)], SUBJECT, ME)
  expect(both).toMatchObject([{ count: 2, mine: true }])
  expect(reactionsWith(both, [react(true)], SUBJECT, ME)).toEqual(both)
  expect(reactionsWith(both, [react(false)], SUBJECT, ME)).toEqual(bobs)
  expect(reactionsWith([], [react(true), react(false)], SUBJECT, ME)).toEqual([])
})

test('The number of comments has those that wait, and never falls below none', () => {
  expect(countWith(2, [operation(write('a')), operation(write('b'), { state: 'refused' })], SUBJECT)).toBe(3)
  expect(countWith(0, [operation({ kind: 'deleteComment', item, id: newId(), was: null })], SUBJECT)).toBe(0)
})
