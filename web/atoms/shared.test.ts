import { atom, createStore, type PrimitiveAtom } from 'jotai'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { newId } from '../../contract/ids.ts'
import { readDraft } from '../lib/posts/drafts.ts'
import { readShared, type Shared } from '../lib/pwa/shared.ts'
import { forgetShared } from '../lib/pwa/shared-cache.ts'
import { sessionUserIdAtom } from './session.ts'
import { addSharedAtom, recallSharedAtom } from './shared.ts'

vi.mock('../lib/pwa/shared.ts')
vi.mock('../lib/pwa/shared-cache.ts')
vi.mock('./session.ts', async (original) => ({ ...(await original<object>()), sessionUserIdAtom: atom<string | null>('ada') }))

const COLLECTION = newId()
const stored = new Map<string, string>()
let room = true

beforeEach(() => {
  stored.clear()
  room = true
  vi.stubGlobal('localStorage', {
    getItem: (key: string) => stored.get(key) ?? null,
    setItem(key: string, value: string) {
      if (!room) throw new DOMException('Full', 'QuotaExceededError')
      stored.set(key, value)
    },
    removeItem: (key: string) => void stored.delete(key),
  })
  vi.mocked(forgetShared).mockClear()
})
afterEach(() => void vi.unstubAllGlobals())

async function shared(words: Pick<Shared, 'title' | 'lines'>) {
  vi.mocked(readShared).mockResolvedValue({ files: [], missing: 0, ...words })
  const store = createStore()
  await store.set(recallSharedAtom)
  return store
}
const draft = () => readDraft('ada', COLLECTION, 'note')

test('A shared title that is too long is kept completely in the text', async () => {
  const title = '👩‍👩‍👧'.repeat(250)
  const store = await shared({ title, lines: ['Line'] })
  expect(await store.set(addSharedAtom, COLLECTION)).toBe(true)
  expect(draft()?.body).toBe(`<p>${title}</p><p>Line</p>`)
  expect(draft()?.title).toMatch(/^(👩‍👩‍👧)+…$/u)
})

test('Shared text that cannot be stored is kept, and a retry adds it once', async () => {
  const store = await shared({ title: 'A walk', lines: ['<b>Rain</b>'] })
  room = false
  await expect(store.set(addSharedAtom, COLLECTION)).rejects.toThrow('no room')
  expect(forgetShared).not.toHaveBeenCalled()
  room = true
  await store.set(addSharedAtom, COLLECTION)
  await store.set(addSharedAtom, COLLECTION)
  expect(draft()).toMatchObject({ title: 'A walk', body: '<p>&lt;b&gt;Rain&lt;/b&gt;</p>' })
})

test('After a lost session, shared content stays until somebody signs in', async () => {
  const store = await shared({ title: 'A walk', lines: [] })
  store.set(sessionUserIdAtom as PrimitiveAtom<string | null>, null)
  await expect(store.set(addSharedAtom, COLLECTION)).rejects.toThrow('Sign in')
  expect([draft(), stored.size]).toEqual([null, 0])
  expect(forgetShared).not.toHaveBeenCalled()
})
