import { atom } from 'jotai'
import { t } from '#say'
import { mayAnswer } from '../../contract/policy.ts'
import { findAlreadyHere, peopleFor } from '../lib/import/already-here.ts'
import { createHandover, type ImportReport } from '../lib/import/handover.ts'
import type { ImportPlan, ReadOptions, Refused } from '../lib/import/types.ts'
import { waitingPosts } from '../lib/import/waiting.ts'
import { collectionsAtom } from './collections.ts'
import { sendWaitingAtom } from './imports-send.ts'
import { personNameAtom } from './profile.ts'
import { sessionUserIdAtom } from './session.ts'
import { addFilesAtom, uploadItemsAtom } from './uploads.ts'

/**
 * Hands a plan over to the uploads and the mutation queue, which continue by themselves. An interrupted import is not lost: importing the
 * same files into the same collection again continues it, since post ids derive from their source and the collection, and files are
 * recognised by their bytes.
 */
export const runImportAtom = atom(
  null,
  async (get, set, plan: ImportPlan, collectionId: string, { signal, onProgress }: ReadOptions): Promise<ImportReport> => {
    const userId = get(sessionUserIdAtom)
    if (!userId) throw new Error(t`Sign in to import something`)
    const unnamed: Refused[] = []
    const here = await findAlreadyHere(plan, collectionId)
    const people = await peopleFor(plan, collectionId, unnamed)
    const waiting = waitingPosts(userId)
    const me = get(personNameAtom)
    const target = get(collectionsAtom)?.find(({ id }) => id === collectionId)
    const refused = target && !mayAnswer(target.role, target.answers)
    const whyNoAnswers = refused ? t`You may not comment in this collection. Import the archive again when you may` : undefined
    const handover = createHandover({
      ...{ collectionId, scope: [userId, collectionId], here, whyNoAnswers },
      peopleOf: (keys) => [...new Set(keys.flatMap((key) => people.get(key) ?? []))],
      add: (files, coming) =>
        set(
          addFilesAtom,
          collectionId,
          files,
          coming.map(({ overrides, ...file }) => ({ ...file, overrides: overrides && credited(overrides, me) })),
        ),
      async keep(rows) {
        await waiting.put(rows.map((row) => ('post' in row ? { ...row, post: credited(row.post, me) } : row)))
        set(sendWaitingAtom, get(uploadItemsAtom)).catch(() => undefined)
      },
    })
    const step = () => {
      signal.throwIfAborted()
      // The rest would go to the next user who signs in.
      if (get(sessionUserIdAtom) !== userId) throw new Error(t`You were signed out. Import it again after signing in`)
      onProgress(handover.count() / Math.max(1, plan.assets.length))
    }
    const release = waiting.hold()
    try {
      for (const post of plan.posts) {
        step()
        await handover.post(post)
      }
      for (const asset of plan.assets) {
        step()
        await handover.hand(asset)
      }
      for (const group of plan.groups) {
        step()
        await handover.group(group)
      }
    } finally {
      await handover.flush().finally(release)
    }
    return { ...handover.report, failed: [...unnamed, ...handover.report.failed] }
  },
)

/** The original author is named only if that is somebody else. */
function credited<T extends { originalAuthor?: string | null | undefined }>({ originalAuthor, ...fields }: T, me: string) {
  return originalAuthor && originalAuthor !== me ? { ...fields, originalAuthor } : fields
}
