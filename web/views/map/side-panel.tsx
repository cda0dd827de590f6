import { type ReactNode, useLayoutEffect, useRef, useState } from 'react'
import { t } from '#say'
import { Trans } from '#say/react'
import { Button } from '../../ui/button.tsx'
import { cx } from '../../ui/cx.ts'
import { Icon } from '../../ui/icon.tsx'

interface SidePanelProps {
  title: string
  detail: string
  /** Present when the panel shows one location instead of the list. */
  onBack?: (() => void) | undefined
  action?: ReactNode
  /** Grows whenever a location is opened in the panel: the sheet rises and the heading takes the focus. */
  opened: number
  children: ReactNode
}

/** Beside the map on wide screens; on small ones a sheet whose header stays visible. */
export function SidePanel({ title, detail, onBack, action, opened, children }: SidePanelProps) {
  const [up, setUp] = useState(false)
  const heading = useRef<HTMLHeadingElement>(null)
  const seen = useRef(opened)
  useLayoutEffect(() => {
    if (seen.current === opened) return
    seen.current = opened
    setUp(true)
    heading.current?.focus({ preventScroll: true })
  }, [opened])
  return (
    <section
      aria-label={t`Items on the map`}
      id="map-list"
      tabIndex={-1}
      onKeyDown={(event) => {
        if (event.key !== 'Escape') return
        if (onBack) onBack()
        else setUp(false)
      }}
      className={cx(
        'flex min-h-0 flex-col bg-raised outline-none',
        'lg:w-84 lg:shrink-0 lg:border-s',
        'max-lg:absolute max-lg:inset-x-0 max-lg:bottom-0 max-lg:z-3 max-lg:h-[62%] max-lg:rounded-t-2xl max-lg:border-t max-lg:shadow-dialog',
        'max-lg:transition-transform max-lg:duration-(--slow) max-lg:ease-out',
        !up && 'max-lg:translate-y-[calc(100%-3.75rem)]',
      )}
    >
      <div className={cx('flex min-h-15 items-center gap-1 px-3 lg:pt-1', !up && 'max-lg:pe-30')}>
        {onBack && (
          <Button variant="ghost" size="sm" icon="arrow-back" iconOnly onClick={onBack}>
            <Trans>Back to all places</Trans>
          </Button>
        )}
        <div className={cx('min-w-0 grow', !onBack && 'ps-2')}>
          <h2 ref={heading} tabIndex={-1} className="truncate font-semibold outline-none">
            {title}
          </h2>
          <p className="truncate text-xs text-muted tabular-nums">{detail}</p>
        </div>
        {action}
        <button
          type="button"
          aria-expanded={up}
          aria-label={up ? t`Collapse list` : t`Expand list`}
          onClick={() => setUp(!up)}
          className="grid size-11 shrink-0 place-items-center rounded-md text-muted lg:hidden"
        >
          <Icon name={up ? 'keyboard-arrow-down' : 'keyboard-arrow-up'} size={24} />
        </button>
      </div>
      {/* Invisible content must not be focusable. */}
      <div className={cx('min-h-0 grow overflow-y-auto overscroll-contain', !up && 'max-lg:invisible')}>{children}</div>
    </section>
  )
}
