import { expect, test } from 'vitest'
import type { Comment } from '../../../contract/comments.ts'
import { branchesOf, mergeComments, NO_THREAD, withPage } from './thread.ts'

const comment = (id: string, minute: number, more: Partial<Comment> = {}): Comment => ({
  id,
  item: { kind: 'post', id: 'post' },
  collection_id: 'kyoto',
  author: { id: 'ada', name: 'Ada' },
  state: 'shown',
  text: id,
  mentions: [],
  reply_to: null,
  reactions: [],
  created_at: new Date(Date.UTC(2026, 0, 1, 0, minute)).toISOString(),
  edited_at: null,
  version: 1,
  ...more,
})
const ids = (comments: readonly Comment[]) => comments.map(({ id }) => id).join()

test('Comments are oldest first whatever the order in which they come', () => {
  const [a, b, c] = [comment('a', 1), comment('b', 2), comment('c', 2)]
  expect(ids(mergeComments([], [c, a, b]))).toBe('a,b,c')
  expect(ids(mergeComments([c], [a, b], ['a']))).toBe('b,c')
})

test('An older version does not replace a newer one, and new reactions come without a new version', () => {
  const newer = comment('a', 1, { version: 2, text: 'edited' })
  expect(mergeComments([newer], [comment('a', 1)])[0]?.text).toBe('edited')
  const reacted = { ...newer, reactions: [{ emoji: '👍', count: 1, mine: false, who: [] }] }
  expect(mergeComments([newer], [reacted])[0]?.reactions).toHaveLength(1)
})

test('A later page keeps the revision of the first, which the others may not show', () => {
  const first = withPage(null, { comments: [comment('a', 1)], nextCursor: 'next', revision: 5 })
  expect(first).toMatchObject({ cursor: 'next', end: { id: 'a' }, revision: 5 })
  expect(withPage(first, { comments: [comment('b', 2)], nextCursor: null, revision: 9 })).toMatchObject({
    cursor: null,
    end: null,
    revision: 5,
  })
  expect(withPage({ ...NO_THREAD, revision: 3 }, { comments: [], nextCursor: null, revision: 9 }).revision).toBe(3)
})

test('Answers to answers stand beneath the comment that began the conversation', () => {
  const branches = branchesOf([
    comment('a', 1),
    comment('b', 2),
    comment('c', 3, { reply_to: 'a' }),
    comment('d', 4, { reply_to: 'c' }),
    comment('e', 5, { reply_to: 'gone' }),
  ])
  expect(branches.map((branch) => [branch.comment.id, ids(branch.replies)])).toEqual([
    ['a', 'c,d'],
    ['b', ''],
    ['e', ''],
  ])
})

test('Comments that answer each other in a circle do not hang', () => {
  expect(branchesOf([comment('a', 1, { reply_to: 'b' }), comment('b', 2, { reply_to: 'a' })])).not.toHaveLength(0)
})
