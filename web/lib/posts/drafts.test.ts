import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import type { Asset } from '../../../contract/assets.ts'
import { newId } from '../../../contract/ids.ts'
import { type Draft, forgetDrafts, readAssetEdit, readDraft, writeAssetEdit, writeDraft } from './drafts.ts'

const photo: Asset = {
  ...{ id: newId(), user_id: newId(), user_name: 'Ada', status: 'ready', name: 'a.jpg', type: 'image/jpeg', size: 1, checksum: '' },
  ...{ width: 1, height: 1, duration: null, thumbhash: null, alt: null, date: null, date_zone: null, date_precision: 'unknown' },
  ...{ location: null, renditions: [], people: [], collections: [], version: 1, created_at: '', updated_at: '' },
}
const [ada, bob, here] = [newId(), newId(), newId()]
const draft: Draft = {
  ...{ id: newId(), type: 'note', kind: '', title: 'Begun', body: '', exact: 'day', day: '', time: '', zone: '', endDay: '', endTime: '' },
  ...{ location: null, people: [], pictures: [], collections: [] },
}

/** Like a browser's localStorage: the keys are those of the object. */
class Shelf {
  getItem(key: string) {
    return Object.hasOwn(this, key) ? String(Reflect.get(this, key)) : null
  }
  setItem(key: string, value: string) {
    Reflect.set(this, key, value)
  }
  removeItem(key: string) {
    Reflect.deleteProperty(this, key)
  }
}

beforeEach(() => vi.stubGlobal('localStorage', new Shelf()))
afterEach(() => vi.unstubAllGlobals())

test("Signing out removes the user's own drafts and keeps those of other users", () => {
  for (const person of [ada, bob]) writeDraft(person, here, 'note', draft)
  forgetDrafts(bob)
  expect(readDraft(bob, here, 'note')).toBeNull()
  expect(readDraft(ada, here, 'note')).toEqual(draft)
})

test('Unsaved details of a photo are kept for their user until they sign out', () => {
  const details = { ...draft, alt: 'Salt to the horizon', placeHidden: false }
  writeAssetEdit(bob, photo.id, { base: photo, draft: details })
  expect(readAssetEdit(bob, photo.id)).toMatchObject({ base: photo, draft: { alt: 'Salt to the horizon' } })
  expect(readAssetEdit(ada, photo.id)).toBeNull()
  forgetDrafts(bob)
  expect(readAssetEdit(bob, photo.id)).toBeNull()
})
