import { atom } from 'jotai'
import { t } from '#say'
import { TOASTS } from '../../contract/limits.ts'
import type { IconName } from '../ui/icon.tsx'

export interface ToastAction {
  /** Falls back to 'Action'. */
  label?: string
  onClick: () => void
}

export interface Toast {
  id: string
  title: string
  description?: string
  icon?: IconName
  /** Name of the user shown as an avatar. */
  avatar?: string
  color: 'neutral' | 'success' | 'warning' | 'danger'
  actions: Required<ToastAction>[]
  /** Whether it has a close button. */
  close: boolean
  /** Whether it shows the remaining time. */
  progress: boolean
  /** Milliseconds. */
  duration: number
  /** `foreground` is announced at once: for a response to the user's own action. */
  type: 'foreground' | 'background'
  open: boolean
}

export type NewToast = Pick<Toast, 'title'> & Partial<Omit<Toast, 'open' | 'actions'>> & { actions?: ToastAction[] }

const listAtom = atom<Toast[]>([])

/** Oldest first. */
export const toastsAtom = atom((get) => get(listAtom))

let count = 0

const labelled = (actions: ToastAction[] = []) => actions.map((action) => ({ label: t`Action`, ...action }))

/** Queues a toast and returns its id. A toast with a known id replaces the earlier one. */
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

/** Marks a toast as closed, and removes it after its exit animation. */
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

/** For a failed action: a title, the server's message, and possible actions. */
export const addErrorToastAtom = atom(null, (_get, set, title: string, description?: string, actions: ToastAction[] = []) =>
  set(addToastAtom, { title, ...(description ? { description } : {}), actions, color: 'danger', icon: 'error' }),
)
