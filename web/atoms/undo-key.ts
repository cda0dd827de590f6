import type { createStore } from 'jotai'
import { isLoadFailure } from '../lib/load-failure.ts'
import { messageOf } from '../lib/message-of.ts'
import { sessionUserIdAtom } from './session.ts'
import { addErrorToastAtom, addToastAtom, closeToastAtom, toastsAtom } from './toasts.ts'

type Store = ReturnType<typeof createStore>

/** Listens for Ctrl-Z from the start; the code that undoes may load later. Call once, at start. */
export function listenForUndo(app: Store): void {
  addEventListener('keydown', (event) => {
    if (!isUndo(event) || app.get(sessionUserIdAtom) === null) return
    event.preventDefault()
    void undoLatest(app)
  })
}

async function undo(app: Store): Promise<string | null> {
  const { undoAtom } = await import('./outbox.ts')
  return app.set(undoAtom)
}

async function undoLatest(app: Store): Promise<void> {
  const title = await undo(app).catch((error: unknown) => {
    // If the code cannot be loaded, nothing has been changed, so there is nothing to report.
    if (!isLoadFailure(error)) app.set(addErrorToastAtom, 'The last change could not be undone', messageOf(error))
    return null
  })
  if (!title) return
  // Closes the toast whose Undo was used.
  const offered = app.get(toastsAtom).findLast(({ actions, open }) => open && actions.some(({ label }) => label === 'Undo'))
  if (offered) app.set(closeToastAtom, offered.id)
  app.set(addToastAtom, { id: 'undone', title: `Undone: ${title}`, icon: 'undo' })
}

/** Ctrl-Z or ⌘-Z, except while typing and behind a dialog with a question or a form. */
function isUndo({ key, ctrlKey, metaKey, shiftKey, altKey, target }: KeyboardEvent): boolean {
  if (key.toLowerCase() !== 'z' || !(ctrlKey || metaKey) || shiftKey || altKey) return false
  const element = target instanceof HTMLElement ? target : null
  return (
    !element?.isContentEditable &&
    !element?.closest('input:not([type=checkbox], [type=radio]), textarea, select, [role=dialog]:not([data-viewer], .lightbox)')
  )
}
