import { expect, test, vi } from 'vitest'
import { newId } from '../../../contract/ids.ts'
import { listPosts } from '../../../contract/posts.ts'
import { listTrash } from '../../../contract/trash.ts'
import { takeoutSidecar } from '../../../tests/support/archives.ts'
import { photo, planned } from '../../../tests/support/plan-import.ts'
import { call } from '../api.ts'
import { findAlreadyHere } from './already-here.ts'
import { createHandover } from './handover.ts'

vi.mock('../api.ts', () => ({ call: vi.fn() }))

const collectionId = newId()

/** Ids of the posts that an import of an album makes, with photos of these years, where the collection and the trash hold these posts. */
async function idsOfAlbum(years: number[], { posts = [], trash = [] }: { posts?: string[]; trash?: string[] } = {}) {
  const rows = (ids: string[]) => ids.map((id) => ({ id, body: '', version: 1 }))
  vi.mocked(call).mockImplementation((async (endpoint: unknown) => ({
    posts: endpoint === listPosts ? rows(posts) : endpoint === listTrash ? rows(trash) : [],
    nextCursor: null,
  })) as typeof call)
  const album = 'Takeout/Google Photos/Rome/'
  const plan = await planned({
    [`${album}metadata.json`]: { title: 'Rome' },
    ...Object.fromEntries(
      years.flatMap((year) => [
        [`${album}${year}.jpg`, photo(`${year}`)],
        [`${album}${year}.jpg.json`, takeoutSidecar(`${year}.jpg`, { photoTakenTime: { timestamp: `${Date.UTC(year) / 1000}` } })],
      ]),
    ),
  })
  const made: (string | undefined)[] = []
  const handover = createHandover({
    ...{ collectionId, scope: ['ada', collectionId], here: await findAlreadyHere(plan, collectionId), peopleOf: () => [] },
    add: async () => undefined,
    keep: async (waiting) => void made.push(...waiting.flatMap((one) => ('post' in one ? one.post.id : []))),
  })
  for (const post of plan.posts) await handover.post(post)
  await handover.flush()
  return made
}

test('An album that has an earlier photo in a later export becomes the same post', async () => {
  const [first = ''] = await idsOfAlbum([2019, 2020])
  expect(await idsOfAlbum([2015, 2019, 2020], { posts: [newId(), first] })).toEqual([first])
  expect(await idsOfAlbum([2020], { posts: [first] })).toEqual([first])
})

test('An album whose post is in the trash becomes another post, and then that one', async () => {
  const [first = ''] = await idsOfAlbum([2019])
  const [second = ''] = await idsOfAlbum([2015], { trash: [first] })
  expect([first, '', undefined]).not.toContain(second)
  expect(await idsOfAlbum([2019], { trash: [first], posts: [second] })).toEqual([second])
  expect(await idsOfAlbum([2010], { trash: [first], posts: [second] })).toEqual([second])
})
