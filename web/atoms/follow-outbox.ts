import type { createStore } from 'jotai'
import { undoAtom } from './outbox.ts'
import { forgetDoneAtom } from './outbox-actions.ts'
import { openOutboxAtom } from './outbox-state.ts'
import { reviewAtom } from './pending.ts'
import { sessionUserIdAtom } from './session.ts'
import { addToastAtom, closeToastAtom, toastsAtom } from './toasts.ts'

type Store = ReturnType<typeof createStore>

/** Keeps the outbox of whoever is signed in open, and hears Ctrl-Z. Loaded after the first paint; returns how to stop. */
export function followOutbox(app: Store): () => void {
  const follow = () => {
    app.set(forgetDoneAtom)
    app.set(reviewAtom, null)
    app.set(openOutboxAtom, app.get(sessionUserIdAtom))
  }
  const stop = app.sub(sessionUserIdAtom, follow)
  app.set(openOutboxAtom, app.get(sessionUserIdAtom))
  const keys = (event: KeyboardEvent) => {
    if (!isUndo(event)) return
    event.preventDefault()
    void undoLatest(app)
  }
  addEventListener('keydown', keys)
  return () => {
    stop()
    removeEventListener('keydown', keys)
  }
}

async function undoLatest(app: Store): Promise<void> {
  const title = await app.set(undoAtom)
  if (!title) return
  // The way back that it offered is taken.
  const offered = app.get(toastsAtom).findLast(({ actions, open }) => open && actions.some(({ label }) => label === 'Undo'))
  if (offered) app.set(closeToastAtom, offered.id)
  app.set(addToastAtom, { id: 'undone', title: `Undone: ${title}`, icon: 'undo' })
}

/** Ctrl-Z or ⌘-Z, but not where it takes back typing, nor behind a dialog. */
function isUndo({ key, ctrlKey, metaKey, shiftKey, altKey, target }: KeyboardEvent): boolean {
  if (key.toLowerCase() !== 'z' || !(ctrlKey || metaKey) || shiftKey || altKey) return false
  const element = target instanceof HTMLElement ? target : null
  return !element?.isContentEditable && !element?.closest('input:not([type=checkbox], [type=radio]), textarea, select, [role=dialog]')
}
