import type { createStore } from 'jotai'
import { t } from '#say'
import { latinKey } from '../lib/latin-key.ts'
import { isLoadFailure } from '../lib/load-failure.ts'
import { messageOf } from '../lib/message-of.ts'
import type { Change } from './outbox-types.ts'
import { sessionUserIdAtom } from './session.ts'
import { addErrorToastAtom, addToastAtom, closeToastAtom } from './toasts.ts'

type Store = ReturnType<typeof createStore>

/** Listens for Ctrl-Z from the start; the code that undoes may load later. Call once, at start. */
export function listenForUndo(app: Store): void {
  addEventListener('keydown', (event) => {
    if (!isUndo(event) || app.get(sessionUserIdAtom) === null) return
    event.preventDefault()
    void undoLatest(app)
  })
}

async function undo(app: Store): Promise<Change | null> {
  const { undoAtom } = await import('./outbox.ts')
  return app.set(undoAtom)
}

async function undoLatest(app: Store): Promise<void> {
  const change = await undo(app).catch((error: unknown) => {
    // If the code cannot be loaded, nothing has been changed, so there is nothing to report.
    if (!isLoadFailure(error)) app.set(addErrorToastAtom, t`The last change could not be undone`, messageOf(error))
    return null
  })
  if (!change) return
  // Its toast offers Undo.
  const { id, title, note } = change
  app.set(closeToastAtom, id)
  app.set(addToastAtom, { id: 'undone', title: t`Undone: ${title}`, icon: 'undo', ...(note ? { description: note } : {}) })
}

/** Ctrl-Z or ⌘-Z, except while typing and behind a dialog with a question or a form. */
function isUndo(event: KeyboardEvent): boolean {
  const { ctrlKey, metaKey, shiftKey, altKey, target } = event
  if (latinKey(event) !== 'z' || !(ctrlKey || metaKey) || shiftKey || altKey) return false
  const element = target instanceof HTMLElement ? target : null
  return (
    !element?.isContentEditable &&
    !element?.closest('input:not([type=checkbox], [type=radio]), textarea, select, [role=dialog]:not([data-viewer], .lightbox)')
  )
}
