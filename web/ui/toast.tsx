import { Toast as Radix } from 'radix-ui'
import { useCallback, useEffect, useLayoutEffect, useRef, useState } from 'react'
import { createPortal } from 'react-dom'
import { t } from '#say'
import { Avatar } from './avatar.tsx'
import { Button } from './button.tsx'
import { cx } from './cx.ts'
import { Icon, type IconName } from './icon.tsx'

interface ToastData {
  id: string
  title: string
  description?: string
  icon?: IconName
  avatar?: string
  color: 'neutral' | 'success' | 'warning' | 'danger'
  actions: { label: string; onClick: () => void }[]
  close: boolean
  progress: boolean
  duration: number
  type: 'foreground' | 'background'
  open: boolean
}

/** Pixels between expanded toasts; scale of each one further back. */
const GAP = 16
const SCALE = 0.05
const PEEK = 10

/** Bottom right, off the buttons of an open dialog; the newest in front, the others stacked behind it until hover or focus. */
export function ToastStack({ toasts, onClose }: { toasts: ToastData[]; onClose: (id: string) => void }) {
  const [spread, setSpread] = useState(false)
  const [heights, setHeights] = useState<Record<string, number>>({})
  const measure = useCallback(
    (id: string, height: number) => setHeights((all) => (all[id] === height ? all : { ...all, [id]: height })),
    [],
  )
  const front = [...toasts].reverse()
  const heightOf = (toast: ToastData) => heights[toast.id] ?? 64
  const spreadHeight = front.reduce((sum, toast) => sum + heightOf(toast) + GAP, 0)

  // Radix pauses all timers while a toast is hovered or focused, and does not resume them if that toast was the last one: every later toast would
  // stay. A new provider starts with running timers.
  const [round, setRound] = useState(0)
  const none = toasts.length === 0
  useEffect(() => {
    if (!none) return
    setRound((last) => last + 1)
    setSpread(false)
  }, [none])

  // Listens to the element itself. Radix renders each toast into it through a portal, and React passes events of a portal to the parents of the
  // component, among which the viewport is not.
  const watch = useCallback((viewport: HTMLElement | null) => {
    if (!viewport) return
    const leaving = new AbortController()
    const { signal } = leaving
    // A finger does not hover.
    const point = (on: boolean) => (event: PointerEvent) => event.pointerType !== 'touch' && setSpread(on)
    viewport.addEventListener('pointerenter', point(true), { signal })
    viewport.addEventListener('pointerleave', point(false), { signal })
    viewport.addEventListener('focusin', () => setSpread(true), { signal })
    const staysInside = ({ relatedTarget: next }: FocusEvent) => next instanceof Node && viewport.contains(next)
    viewport.addEventListener('focusout', (event) => staysInside(event) || setSpread(false), { signal })
    // The focus trap of an open dialog listens to the document, and would take the focus back.
    const keepFromDocument = (event: FocusEvent) => {
      const to = event.type === 'focusin' ? event.target : event.relatedTarget
      if (to instanceof Node && viewport.parentElement?.contains(to)) event.stopPropagation()
    }
    document.documentElement.addEventListener('focusin', keepFromDocument, { signal })
    document.documentElement.addEventListener('focusout', keepFromDocument, { signal })
    return () => leaving.abort()
  }, [])

  return (
    <Radix.Provider key={round} swipeDirection="right" swipeThreshold={50} label={t`Notification`}>
      {front.map((toast, index) => {
        const below = front.slice(0, index).reduce((sum, other) => sum + heightOf(other) + GAP, 0)
        const transform = spread ? `translateY(${-below}px)` : `translateY(${-index * PEEK}px) scale(${1 - index * SCALE})`
        return <ToastCard key={toast.id} toast={toast} transform={transform} order={-index} measure={measure} onClose={onClose} />
      })}
      {/* Beside the app, so that a lightbox that makes the app inert does not include them. */}
      {createPortal(
        <Radix.Viewport
          hotkey={['F8']}
          ref={watch}
          style={{ height: spread ? spreadHeight : front[0] ? heightOf(front[0]) : 0 }}
          className="fixed end-[max(1rem,env(safe-area-inset-right))] start-[max(1rem,env(safe-area-inset-left))] bottom-[calc(max(1rem,env(safe-area-inset-bottom)-var(--toast-floor,0px))+var(--toast-floor,calc(var(--bottom-bar,0px)+var(--new-button,0px)+var(--bulk-bar,0px))))] z-60 outline-none sm:start-auto sm:w-88"
        />,
        document.body,
      )}
    </Radix.Provider>
  )
}

interface ToastCardProps {
  toast: ToastData
  transform: string
  order: number
  measure: (id: string, height: number) => void
  onClose: (id: string) => void
}

function ToastCard({ toast, transform, order, measure, onClose }: ToastCardProps) {
  const ref = useRef<HTMLLIElement>(null)
  useLayoutEffect(() => {
    if (ref.current) measure(toast.id, ref.current.offsetHeight)
  })
  return (
    <Radix.Root
      ref={ref}
      open={toast.open}
      duration={toast.duration}
      type={toast.type}
      onOpenChange={(open) => open || onClose(toast.id)}
      style={{ transform, zIndex: order }}
      className={cx(
        'absolute inset-x-0 bottom-0 origin-bottom overflow-hidden rounded-lg border bg-raised shadow-raised transition-transform duration-(--slow) ease-out',
        'animate-toast-in data-[state=closed]:animate-fade-out data-[swipe=end]:animate-toast-swipe-out',
        'data-[swipe=move]:translate-x-(--radix-toast-swipe-move-x) data-[swipe=move]:transition-none',
      )}
    >
      <div className="flex items-start gap-3 py-3 pe-2 ps-4">
        <ToastMark toast={toast} />
        <div className="min-w-0 grow py-0.5">
          <Radix.Title className="text-sm font-medium wrap-anywhere">{toast.title}</Radix.Title>
          {toast.description && (
            <Radix.Description className="mt-0.5 text-sm text-pretty wrap-anywhere text-muted">{toast.description}</Radix.Description>
          )}
          {toast.actions.length > 0 && <ToastActions actions={toast.actions} />}
        </div>
        {toast.close && (
          <Radix.Close asChild>
            <button
              type="button"
              aria-label={t`Close`}
              className="touch-target grid size-6 shrink-0 place-items-center rounded-sm text-muted hover:bg-muted hover:text-default"
            >
              <Icon name="close" size={16} />
            </button>
          </Radix.Close>
        )}
      </div>
      {toast.progress && (
        <span
          style={{ animationDuration: `${toast.duration}ms` }}
          className="absolute inset-x-0 bottom-0 h-0.5 origin-left animate-deplete bg-accent"
        />
      )}
    </Radix.Root>
  )
}

function ToastActions({ actions }: { actions: ToastData['actions'] }) {
  return (
    <div className="mt-1.5 -ms-2.5 flex flex-wrap gap-1">
      {actions.map(({ label, onClick }) => (
        <Radix.Action key={label} asChild altText={label}>
          <Button size="sm" variant="accent" onClick={onClick}>
            {label}
          </Button>
        </Radix.Action>
      ))}
    </div>
  )
}

const TINTS = { neutral: 'text-muted', success: 'text-success', warning: 'text-warning', danger: 'text-danger' }

function ToastMark({ toast }: { toast: ToastData }) {
  if (toast.avatar) return <Avatar alt={toast.avatar} size="xs" decorative />
  if (!toast.icon) return null
  return <Icon name={toast.icon} size={20} className={cx('mt-0.5', TINTS[toast.color])} />
}
