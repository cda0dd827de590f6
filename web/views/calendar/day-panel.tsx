import { useAtomValue } from 'jotai'
import { type KeyboardEvent, type RefObject, useId, useLayoutEffect, useRef } from 'react'
import { say } from '#language'
import { msg, t } from '#say'
import { Trans } from '#say/react'
import { may } from '../../../contract/policy.ts'
import type { Post } from '../../../contract/posts.ts'
import { selectedItemsAtom } from '../../atoms/bulk.ts'
import { selectedCollectionAtom } from '../../atoms/collections.ts'
import { selectingAtom } from '../../atoms/selection.ts'
import { useOpen } from '../../components/overlays/use-open.ts'
import { loadNewPost } from '../../components/posts/post-dialogs.ts'
import { useWide } from '../../components/use-wide.ts'
import { itemsText } from '../../lib/bulk/words.ts'
import { type CalendarIndex, type Item, itemsOn } from '../../lib/calendar/day-index.ts'
import { isDay, type PanelKey, UNDATED } from '../../lib/calendar/url-state.ts'
import { panelTitle } from '../../lib/calendar/words.ts'
import { Button } from '../../ui/button.tsx'
import { Dialog, useReturnFocus } from '../../ui/dialog.tsx'
import { EmptyNotice } from '../../ui/empty-notice.tsx'
import { PanelItems } from './panel-items.tsx'

interface DayPanelProps {
  open: PanelKey
  index: CalendarIndex
  /** An open photo or post covers the page: a sheet would lie above it. */
  covered: boolean
  onClose: () => void
  onOpenAsset: (id: string) => void
}

/** One day with all its items in order, and a way to write for it: beside the calendar, or as a sheet on a small screen. */
export function DayPanel({ open, index, covered, onClose, onOpenAsset }: DayPanelProps) {
  const wide = useWide()
  const selecting = useAtomValue(selectingAtom)
  const scrolled = useRef(0)
  const content = <PanelContent open={open} index={index} hints={wide ? HINTS : TOUCH_HINTS} onOpenAsset={onOpenAsset} />
  if (!wide) {
    return (
      <Dialog
        open={!covered}
        onClose={onClose}
        // The opener was a link, or a photo over the sheet.
        onClosed={() => document.activeElement === document.body && focusDay(open)}
        title={<span className="block first-letter:uppercase">{panelTitle(open)}</span>}
        footer={selecting && <SelectionFoot onDone={onClose} />}
      >
        <KeptScroll scrolled={scrolled}>{content}</KeptScroll>
      </Dialog>
    )
  }
  return (
    <SidePanel title={panelTitle(open)} open={open} onClose={onClose}>
      {content}
    </SidePanel>
  )
}

/** Returns the sheet to where it was when a photo or post is closed again. */
function KeptScroll({ scrolled, children }: { scrolled: RefObject<number>; children: React.ReactNode }) {
  const box = useRef<HTMLDivElement>(null)
  useLayoutEffect(() => {
    const scroller = box.current?.parentElement
    if (!scroller) return
    scroller.scrollTop = scrolled.current
    const onScroll = () => {
      scrolled.current = scroller.scrollTop
    }
    scroller.addEventListener('scroll', onScroll, { passive: true })
    return () => scroller.removeEventListener('scroll', onScroll)
  }, [scrolled])
  return <div ref={box}>{children}</div>
}

/** Focuses the open day in the grid, or the day that keys start from. */
function focusDay(open: PanelKey): void {
  const day = document.querySelector<HTMLElement>(`[data-day="${open}"][tabindex]`)
  const focused = document.querySelector<HTMLElement>('[data-day][tabindex="0"]')
  const target = day ?? focused
  target?.focus()
}

/** The sheet covers the bulk bar. */
function SelectionFoot({ onDone }: { onDone: () => void }) {
  const items = useAtomValue(selectedItemsAtom)
  return (
    <>
      <p role="status" className="grow font-medium tabular-nums">
        {t`${itemsText(items)} selected`}
      </p>
      <Button variant="primary" onClick={onDone}>
        <Trans>Done</Trans>
      </Button>
    </>
  )
}

function SidePanel({ title, open, onClose, children }: { title: string; open: PanelKey; onClose: () => void; children: React.ReactNode }) {
  const id = useId()
  const panel = useRef<HTMLElement>(null)
  const heading = useRef<HTMLHeadingElement>(null)
  const returnFocus = useReturnFocus(open)
  // biome-ignore lint/correctness/useExhaustiveDependencies: runs when the day changes
  useLayoutEffect(() => heading.current?.focus({ preventScroll: true }), [open])
  const close = () => {
    onClose()
    returnFocus()
    // The URL opened the panel, or the opener is no longer shown.
    if (panel.current?.contains(document.activeElement)) focusDay(open)
  }
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key !== 'Escape' || event.defaultPrevented) return
    event.preventDefault()
    close()
  }
  return (
    <aside
      ref={panel}
      aria-labelledby={id}
      onKeyDown={onKeyDown}
      className="sticky top-0 flex h-[calc(100dvh-var(--bulk-bar,0px))] w-96 shrink-0 animate-fade-in flex-col border-s bg-page"
    >
      <header className="flex min-h-16 items-center gap-2 py-3 pe-4 ps-6">
        <h2 id={id} ref={heading} tabIndex={-1} className="grow font-semibold outline-none first-letter:uppercase">
          {title}
        </h2>
        <Button variant="ghost" size="sm" icon="close" iconOnly onClick={close}>
          <Trans>Close</Trans>
        </Button>
      </header>
      <div className="min-h-0 grow overflow-y-auto px-6 pb-6">{children}</div>
    </aside>
  )
}

interface PanelContentProps extends Omit<DayPanelProps, 'onClose' | 'covered'> {
  hints: typeof HINTS
}

function PanelContent({ open, index, hints, onOpenAsset }: PanelContentProps) {
  const { ongoing, items } = contentOf(index, open)
  return (
    <div className="grid gap-5">
      {isDay(open) ? <Composer day={open} /> : <p className="text-sm text-muted">{say(hints[open === UNDATED ? 'undated' : 'vague'])}</p>}
      {ongoing.length + items.length === 0 ? (
        <EmptyNotice>{isDay(open) ? t`Nothing on this day yet.` : t`Nothing left here.`}</EmptyNotice>
      ) : (
        <PanelItems ongoing={ongoing} items={items} panel={open} onOpenAsset={onOpenAsset} />
      )}
    </div>
  )
}

const HINTS = {
  undated: msg`Drag an item onto its day, or choose the day in its menu.`,
  vague: msg`The exact day is unknown. Drag an item onto its day, or choose the day in its menu.`,
}

/** In the sheet, which covers the calendar. */
const TOUCH_HINTS = {
  undated: msg`Choose the day in the menu of an item.`,
  vague: msg`The exact day is unknown. Choose it in the menu of an item.`,
}

function contentOf(index: CalendarIndex, key: PanelKey): { ongoing: Post[]; items: readonly Item[] } {
  if (key === UNDATED) return { ongoing: [], items: index.undated }
  return isDay(key) ? itemsOn(index, key) : { ongoing: [], items: index.vague.get(key) ?? [] }
}

function Composer({ day }: { day: string }) {
  const role = useAtomValue(selectedCollectionAtom)?.role
  const write = useOpen()
  if (!may(role, 'item.add')) return null
  return (
    <div className="flex gap-2">
      <Button size="sm" icon="event" onClick={() => void write(loadNewPost, { type: 'event' as const, day })}>
        <Trans>New event</Trans>
      </Button>
      <Button size="sm" icon="sticky-note-2" onClick={() => void write(loadNewPost, { type: 'note' as const, day })}>
        <Trans>New note</Trans>
      </Button>
    </div>
  )
}
