import { useVirtualizer } from '@tanstack/react-virtual'
import { useAtom, useAtomValue, useSetAtom } from 'jotai'
import { useEffect, useMemo, useRef } from 'react'
import { plural, t } from '#say'
import { Trans } from '#say/react'
import { sessionUserIdAtom } from '../../atoms/session.ts'
import {
  actOnUploadsAtom,
  closeUploadsIfLeftAtom,
  openUploadsAtom,
  uploadItemsAtom,
  uploadSummaryAtom,
  uploadTrayOpenAtom,
} from '../../atoms/uploads.ts'
import { isUnshown } from '../../lib/uploads/items.ts'
import type { UploadItem, UploadState } from '../../lib/uploads/types.ts'
import { Button } from '../../ui/button.tsx'
import { cx } from '../../ui/cx.ts'
import { Icon } from '../../ui/icon.tsx'
import { Progress, ProgressRing } from '../../ui/progress.tsx'
import { focusBeside } from '../focus-beside.ts'
import { useConfirm } from '../overlays/confirm-dialog.tsx'
import { UploadRow } from './row.tsx'
import { headline, subline } from './words.ts'

const ROW = 60

/** All of the user's uploads, at the bottom of the screen while there is anything to show. Rendered once, in the shell. */
export function UploadTray() {
  const userId = useAtomValue(sessionUserIdAtom)
  const open = useSetAtom(openUploadsAtom)
  const summary = useAtomValue(uploadSummaryAtom)
  const closeIfLeft = useSetAtom(closeUploadsIfLeftAtom)
  useEffect(() => {
    if (userId !== null) open(userId)
  }, [open, userId])
  useEffect(() => closeIfLeft, [closeIfLeft])
  const idle = summary.active + summary.paused + summary.failed + summary.unshown + summary.films + summary.filmsFailed === 0
  const spread = useAtomValue(uploadTrayOpenAtom)
  if (summary.total === 0 || (idle && !spread)) return null
  return <Tray />
}

function Tray() {
  const summary = useAtomValue(uploadSummaryAtom)
  const act = useSetAtom(actOnUploadsAtom)
  const [spread, setSpread] = useAtom(uploadTrayOpenAtom)
  const confirm = useConfirm()
  const close = async (header: Element | null) => {
    const goBeside = focusBeside(header)
    const files = summary.retryable
    const title = t`${plural(files, { one: '# file has not been saved yet', other: '# files have not been saved yet' })}`
    if (files > 0 && !(await confirm({ title, confirm: t`Discard`, danger: true }))) return
    await act('dismiss')
    goBeside()
  }
  const moving = summary.active > 0
  const unfinished = moving || summary.paused > 0
  const second = subline(summary)
  return (
    <section
      aria-label={t`Uploads`}
      className={cx(
        'fixed z-32 overflow-hidden rounded-lg border bg-raised shadow-raised animate-rise-in',
        'inset-x-3 bottom-[calc(4.25rem+env(safe-area-inset-bottom)+var(--new-button,0px)+var(--bulk-bar,0px))] sm:end-auto sm:w-96 sm:[--new-button:0px] lg:bottom-[calc(1rem+var(--bulk-bar,0px))] lg:start-[calc(var(--rail-width)+1rem)] lg:in-data-[rail=narrow]:start-[calc(var(--rail-narrow)+1rem)]',
      )}
    >
      <header className="flex items-center gap-1 py-2 pe-2 ps-4">
        <div className="min-w-0 grow">
          {/* Screen readers hear how it ends, not each file and percent. */}
          <p
            role="status"
            aria-live={moving || summary.films > 0 ? 'off' : 'polite'}
            className="truncate text-sm font-semibold tabular-nums"
          >
            {headline(summary)}
          </p>
          {second && <p className="truncate text-xs text-muted tabular-nums">{second}</p>}
        </div>
        {(unfinished || summary.retryable > 1) && (
          <Button
            variant="ghost"
            size="sm"
            icon={moving ? 'pause' : unfinished ? 'play-arrow' : 'refresh'}
            iconOnly
            onClick={() => void act(moving ? 'pause' : 'resume')}
          >
            {moving ? t`Pause all` : unfinished ? t`Resume all` : t`Try again`}
          </Button>
        )}
        <Button
          variant="ghost"
          size="sm"
          icon={spread ? 'keyboard-arrow-down' : 'keyboard-arrow-up'}
          iconOnly
          aria-expanded={spread}
          onClick={() => setSpread(!spread)}
        >
          {spread ? t`Hide list` : t`Show list`}
        </Button>
        {!unfinished && summary.films === 0 && (
          <Button variant="ghost" size="sm" icon="close" iconOnly onClick={(event) => void close(event.currentTarget.parentElement)}>
            <Trans>Close</Trans>
          </Button>
        )}
      </header>
      {unfinished && <Progress value={summary.progress} label={t`All uploads`} edge />}
      {!unfinished && summary.filming && <Progress value={summary.filming.share} label={t`The version that plays everywhere`} edge />}
      {spread && <UploadList />}
      {spread && unfinished && (
        <footer className="flex justify-end border-t px-2 py-1.5">
          <Button
            variant="ghost"
            size="sm"
            onClick={(event) => {
              const goBeside = focusBeside(event.currentTarget.parentElement)
              void act('cancel')
              goBeside()
            }}
          >
            <Trans>Cancel all</Trans>
          </Button>
        </footer>
      )}
    </section>
  )
}

/** Uploads that need the user come first, finished ones last. */
const RANK: Record<UploadState, number> = {
  ...{ failed: 0, uploading: 1, finishing: 1, retrying: 1, preparing: 2, ready: 2, waiting: 3, paused: 3 },
  ...{ done: 4, duplicate: 4 },
}

const rankOf = (item: UploadItem) => (item.film?.state === 'failed' || isUnshown(item) ? 0 : item.film ? 1 : RANK[item.state])

function UploadList() {
  const all = useAtomValue(uploadItemsAtom)
  const items = useMemo(() => all.toSorted((a, b) => rankOf(a) - rankOf(b)), [all])
  const scroll = useRef<HTMLDivElement>(null)
  const rows = useVirtualizer({
    count: items.length,
    getScrollElement: () => scroll.current,
    estimateSize: () => ROW,
    getItemKey: (index) => items[index]?.id ?? index,
    overscan: 4,
  })
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a scrollable area must be reachable by keyboard
    <section ref={scroll} tabIndex={0} aria-label={t`Files`} className="max-h-[min(15rem,45dvh)] overflow-y-auto border-t">
      <ul className="relative" style={{ height: rows.getTotalSize() }}>
        {rows.getVirtualItems().map(({ key, index, start }) => {
          const item = items[index]
          return item && <UploadRow key={key} item={item} top={start} height={ROW} />
        })}
      </ul>
    </section>
  )
}

/** Upload progress in one line of the rail; opens the list. */
export function UploadStatus({ compact = false }: { compact?: boolean }) {
  const summary = useAtomValue(uploadSummaryAtom)
  const setSpread = useSetAtom(uploadTrayOpenAtom)
  const stuck = summary.failed > 0 && summary.active === 0
  if (summary.active + summary.paused + summary.failed + summary.films === 0) return null
  return (
    <button
      type="button"
      onClick={() => setSpread(true)}
      aria-label={compact ? headline(summary) : undefined}
      className={cx(
        'flex h-9 w-full items-center gap-3 rounded-md text-sm text-muted hover:bg-muted hover:text-default',
        compact ? 'justify-center' : 'px-2.5',
      )}
    >
      {stuck ? (
        <Icon name="error" className="text-danger" />
      ) : (
        <ProgressRing
          value={summary.active + summary.paused === 0 && summary.filming ? summary.filming.share : summary.progress}
          label={t`All uploads`}
        />
      )}
      {!compact && <span className="min-w-0 truncate tabular-nums">{headline(summary)}</span>}
    </button>
  )
}
