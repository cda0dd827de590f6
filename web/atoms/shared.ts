import { atom } from 'jotai'
import { t } from '#say'
import { newId } from '../../contract/ids.ts'
import { LIMITS } from '../../contract/limits.ts'
import { fitLine } from '../../contract/photos/fit.ts'
import { countCharacters, escapeHtml } from '../../contract/text.ts'
import { today } from '../lib/dates/moments.ts'
import { localZone } from '../lib/dates/zones.ts'
import { readDraft, writeDraft } from '../lib/posts/drafts.ts'
import { readShared, type Shared } from '../lib/pwa/shared.ts'
import { forgetShared } from '../lib/pwa/shared-cache.ts'
import { personalAtom } from './personal.ts'
import { sessionUserIdAtom } from './session.ts'
import { addFilesAtom } from './uploads.ts'

/** Content that another app has shared with this one; `unknown` until it was read from the device. */
const stateAtom = personalAtom<Shared | null | 'unknown'>('unknown')
export const sharedAtom = atom((get) => get(stateAtom))

export const recallSharedAtom = atom(null, async (get, set) => {
  const userId = get(sessionUserIdAtom)
  const shared = await readShared().catch(() => null)
  if (userId === get(sessionUserIdAtom)) set(stateAtom, () => shared)
})

export const discardSharedAtom = atom(null, async (_get, set) => {
  await forgetShared()
  set(stateAtom, () => null)
})

/**
 * Adds shared files to the uploads, and shared text to the draft of a note in this collection. Returns whether there is a draft to continue
 * with. The content is then removed from the device, and stays on the screen until `discardSharedAtom`. Throws if nobody is signed in, or the
 * text cannot be stored; a retry adds nothing twice.
 */
export const addSharedAtom = atom(null, async (get, set, collectionId: string): Promise<boolean> => {
  const userId = get(sessionUserIdAtom)
  if (!userId) throw new Error(t`Sign in to change something`)
  const shared = get(sharedAtom)
  if (shared === 'unknown' || !shared) return false
  const words = shared.title !== '' || shared.lines.length > 0
  if (words) addToDraft(userId, collectionId, shared)
  if (shared.files.length > 0) await set(addFilesAtom, collectionId, shared.files)
  await forgetShared()
  return words
})

/** The text of an existing draft stays above the shared text. */
function addToDraft(userId: string, collectionId: string, { title, lines }: Shared): void {
  const existing = readDraft(userId, collectionId, 'note')
  const short = fitLine(title, LIMITS.postTitle)
  const other = existing?.title && existing.title !== short
  const inText = other || countCharacters(title) > LIMITS.postTitle ? [title, ...lines] : lines
  const body = inText.flatMap((line) => (line === '' ? [] : `<p>${escapeHtml(line)}</p>`)).join('')
  if (existing && body !== '' && existing.body.endsWith(body)) return
  writeDraft(userId, collectionId, 'note', {
    ...(existing ?? {
      ...{ id: newId(), type: 'note', kind: 'journal', exact: 'day', day: today(), time: '', zone: localZone(), endDay: '', endTime: '' },
      ...{ location: null, people: [], pictures: [], collections: [], title: '', body: '' },
    }),
    title: existing?.title || short,
    body: `${existing?.body ?? ''}${body}`,
  })
  if (!readDraft(userId, collectionId, 'note')?.body.endsWith(body))
    throw new Error(t`This device has no room to keep the text. Free up space, then try again.`)
}
