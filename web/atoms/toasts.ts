import { atom } from 'jotai'
import { TOASTS } from '../../contract/limits.ts'
import type { IconName } from '../ui/icon.tsx'

export interface ToastAction {
  /** Falls back to 'Action' (spec §8). */
  label?: string
  onClick: () => void
}

export interface Toast {
  id: string
  title: string
  description?: string
  icon?: IconName
  /** Name of the person it is about. */
  avatar?: string
  color: 'neutral' | 'success' | 'warning' | 'danger'
  actions: Required<ToastAction>[]
  /** Whether it has a close button. */
  close: boolean
  /** Whether it shows how long it stays. */
  progress: boolean
  /** Milliseconds. */
  duration: number
  /** `foreground` is read out at once: for the answer to what the person just did. */
  type: 'foreground' | 'background'
  open: boolean
}

export type NewToast = Pick<Toast, 'title'> & Partial<Omit<Toast, 'open' | 'actions'>> & { actions?: ToastAction[] }

const listAtom = atom<Toast[]>([])

/** Oldest first. */
export const toastsAtom = atom((get) => get(listAtom))

let count = 0

const labelled = (actions: ToastAction[] = []) => actions.map((action) => ({ label: 'Action', ...action }))

/** Queues a toast and returns its id. One with a known id takes the place of the earlier one. */
export const addToastAtom = atom(null, (get, set, toast: NewToast): string => {
  const id = toast.id ?? `toast-${++count}`
  const full: Toast = {
    color: 'neutral',
    close: true,
    progress: false,
    duration: TOASTS.duration,
    type: 'foreground',
    ...toast,
    actions: labelled(toast.actions),
    id,
    open: true,
  }
  const others = get(listAtom).filter((other) => other.id !== id)
  set(listAtom, [...others, full].slice(-TOASTS.max))
  return id
})

/** Marks it as not open, and takes it away when its exit has played. */
export const closeToastAtom = atom(null, (get, set, id: string) => {
  const closing = get(listAtom).find((toast) => toast.id === id)
  if (!closing) return
  const closed = { ...closing, open: false }
  set(
    listAtom,
    get(listAtom).map((toast) => (toast === closing ? closed : toast)),
  )
  setTimeout(() => {
    set(
      listAtom,
      get(listAtom).filter((toast) => toast !== closed),
    )
  }, TOASTS.removalDelay)
})

/** For a failed action: the sentence, what the server said, and what can be done about it. */
export const addErrorToastAtom = atom(null, (_get, set, title: string, description?: string, actions: ToastAction[] = []) =>
  set(addToastAtom, { title, ...(description ? { description } : {}), actions, color: 'danger', icon: 'error' }),
)
