import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { newId } from '../../../contract/ids.ts'
import { type Draft, forgetDrafts, readDraft, writeDraft } from './drafts.ts'

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
