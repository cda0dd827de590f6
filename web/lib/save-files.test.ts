import { afterEach, expect, test, vi } from 'vitest'
import { saveFiles } from './save-files.ts'

const REASON = 'The place in this file cannot be hidden'
const refused = () => Response.json({ success: false, error: { code: 'forbidden', message: REASON } }, { status: 403 })
const file = (name: string, seen?: 'nothing') => ({ id: name, version: 1, name, place: seen ? { seen } : null })

function page(answer: () => Response | Promise<Response>) {
  const saved: string[] = []
  const fetch = vi.fn(async () => answer())
  vi.stubGlobal('fetch', fetch)
  vi.stubGlobal('document', {
    createElement: () => ({
      click() {
        saved.push((this as unknown as HTMLAnchorElement).download)
      },
    }),
  })
  return { saved, fetch }
}
afterEach(() => void vi.unstubAllGlobals())

test('A download that the server refuses because of its place says why, and the other files are saved', async () => {
  const { saved } = page(refused)
  await expect(saveFiles([file('map.pdf', 'nothing'), file('b.jpg')])).rejects.toThrow(REASON)
  expect(saved).toEqual(['b.jpg'])
})

test('A file whose place is hidden is saved if the server sends it, or cannot be asked', async () => {
  const sent = page(() => new Response('a', { status: 206 }))
  await saveFiles([file('a.jpg', 'nothing')])
  expect(sent.saved).toEqual(['a.jpg'])
  const offline = page(() => Promise.reject(new TypeError('Failed to fetch')))
  await saveFiles([file('a.jpg', 'nothing')])
  expect(offline.saved).toEqual(['a.jpg'])
})

test('A file of which everybody sees the place is saved without asking', async () => {
  const { saved, fetch } = page(refused)
  await saveFiles([file('a.jpg')])
  expect(saved).toEqual(['a.jpg'])
  expect(fetch).not.toHaveBeenCalled()
})
