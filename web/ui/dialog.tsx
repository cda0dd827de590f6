import { Dialog as Radix } from 'radix-ui'
import { type ReactNode, useRef } from 'react'
import { Trans } from '#say/react'
import { ASKS_FOR_FOCUS } from './asks-for-focus.ts'
import { Button } from './button.tsx'
import { useClosedByBack } from './closed-by-back.ts'
import { cx } from './cx.ts'
import { Scrim } from './scrim.tsx'
import { useToastFloor } from './toast-floor.ts'

export interface DialogProps {
  open: boolean
  /** Asks to close it: whoever shows it sets `open`. */
  onClose: () => void
  title: ReactNode
  description?: ReactNode
  /** Buttons, the main one last. */
  footer?: ReactNode
  size?: 'sm' | 'md' | 'lg' | 'xl'
  /** Fills a small screen. */
  full?: boolean
  children?: ReactNode
  /** Wraps body and footer, for a form whose submit button is in the footer. */
  wrap?: (content: ReactNode) => ReactNode
  /** A press beside it does not close it, since what it shows is not shown again. */
  shownOnce?: boolean
  /** Only its buttons close it: neither a press beside it nor Esc. */
  busy?: boolean
  /** Runs once the focus has returned to the opener. */
  onClosed?: () => void
}

const WIDTHS = { sm: 'sm:max-w-sm', md: 'sm:max-w-lg', lg: 'sm:max-w-2xl', xl: 'sm:max-w-5xl' }

/** A modal dialog; on a small screen a sheet from below. Esc, and Back on Android, closes it and the focus returns to the opener. */
export function Dialog(props: DialogProps) {
  const {
    open,
    onClose,
    title,
    description,
    footer,
    size = 'md',
    full = false,
    children,
    wrap = (content) => content,
    shownOnce = false,
    busy = false,
    onClosed,
  } = props
  const returnFocus = useReturnFocus(open)
  const toastFloor = useToastFloor()
  useClosedByBack(open, () => busy || onClose())
  return (
    <Radix.Root open={open} onOpenChange={(next) => next || onClose()}>
      <Radix.Portal>
        <Scrim open={open} />
        <Radix.Content
          ref={toastFloor}
          aria-modal="true"
          {...(description ? {} : { 'aria-describedby': undefined })}
          // If no element asks for the focus, the dialog itself gets it: on the ✕ it would open the tooltip.
          onOpenAutoFocus={(event) => {
            event.preventDefault()
            const dialog = event.currentTarget
            if (!(dialog instanceof HTMLElement)) return
            // The element has lost the focus again to a dialog below that is just closing.
            const asking = dialog.querySelector<HTMLElement>(ASKS_FOR_FOCUS)
            if (asking) asking.focus()
            else dialog.focus()
          }}
          onInteractOutside={(event) => (shownOnce || busy) && event.preventDefault()}
          // Esc in a search field with text belongs to the field, and likewise to other elements that use it.
          onEscapeKeyDown={(event) => (busy || hasOwnEscape(event.target)) && event.preventDefault()}
          // A toast that appeared after the dialog would get Esc in Radix's order of layers, but keys belong to the focused element.
          onKeyDown={(event) => {
            const { key, target, currentTarget, defaultPrevented } = event
            if (busy || key !== 'Escape' || defaultPrevented || hasOwnEscape(target)) return
            if (target instanceof Node && currentTarget.contains(target)) onClose()
          }}
          onCloseAutoFocus={(event) => {
            event.preventDefault()
            returnFocus()
            onClosed?.()
          }}
          className={cx(
            'fixed z-50 flex flex-col bg-raised shadow-dialog outline-none',
            'inset-x-0 bottom-0 max-h-[92dvh] rounded-t-2xl pb-[env(safe-area-inset-bottom)]',
            'sm:inset-x-auto sm:top-1/2 sm:bottom-auto sm:left-1/2 sm:max-h-[calc(100dvh-4rem)] sm:w-[calc(100vw-2rem)] sm:-translate-1/2 sm:rounded-xl sm:border sm:pb-0',
            'animate-rise-in data-[state=closed]:animate-sink-out',
            // Too low for head, foot and something between them: all of it scrolls.
            'low:overflow-y-auto low:*:shrink-0',
            full && 'max-sm:top-0 max-sm:max-h-none max-sm:rounded-none max-sm:pt-[env(safe-area-inset-top)]',
            WIDTHS[size],
          )}
        >
          <div className="flex items-start gap-4 px-6 pt-5 pb-1">
            <div className="min-w-0 grow">
              <Radix.Title className="text-[1.0625rem] font-semibold wrap-anywhere">{title}</Radix.Title>
              {description && <Radix.Description className="mt-1 text-sm text-muted wrap-anywhere">{description}</Radix.Description>}
            </div>
            <Radix.Close asChild>
              <Button variant="ghost" size="sm" icon="close" iconOnly className="-mt-1 -me-2">
                <Trans>Close</Trans>
              </Button>
            </Radix.Close>
          </div>
          {wrap(
            <>
              {children && <div className="min-h-0 grow overflow-y-auto px-6 py-4">{children}</div>}
              {footer && (
                <div data-dialog-foot="" className="flex flex-wrap items-center justify-end gap-2 px-6 pt-2 pb-5">
                  {footer}
                </div>
              )}
            </>,
          )}
        </Radix.Content>
      </Radix.Portal>
    </Radix.Root>
  )
}

/** Whether Esc is used by the element itself. */
export function hasOwnEscape(target: EventTarget | null): boolean {
  if (!(target instanceof Element)) return false
  if (target instanceof HTMLInputElement && target.type === 'search' && target.value !== '') return true
  return target.matches('[role=combobox][aria-expanded=true]') || target.closest('[data-own-escape]') !== null
}

/**
 * Dialogs are opened by code, so Radix has no trigger to return to: this remembers the element that had the focus. What shows different things
 * names the open one, since each has an opener of its own.
 */
export function useReturnFocus(open: boolean | string): () => void {
  const wasOpen = useRef<boolean | string>(false)
  const opener = useRef<Element | null>(null)
  if (open && open !== wasOpen.current) opener.current = openerOf(document.activeElement)
  wasOpen.current = open
  return () => {
    if (opener.current instanceof HTMLElement) opener.current.focus({ preventScroll: true })
  }
}

/** The element itself or, for an element in a menu or popover that is gone by then, the button that opened it. */
function openerOf(active: Element | null): Element | null {
  const layer = active?.closest('[data-radix-popper-content-wrapper]')?.firstElementChild
  return (layer && document.querySelector(`[aria-controls="${layer.id}"]`)) ?? active
}
