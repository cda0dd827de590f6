import { useAtomValue } from 'jotai'
import type { ReactElement, ReactNode } from 'react'
import { Link, NavLink, useLocation } from 'react-router'
import { say } from '#language'
import { t } from '#say'
import { Trans } from '#say/react'
import { openCollectionIdAtom } from '../../atoms/collections.ts'
import { unseenAtom } from '../../atoms/feed-badge.ts'
import { narrowingQueryAtom } from '../../atoms/filters.ts'
import { guestLink } from '../../lib/guest/link.ts'
import { collectionLink, PATHS, viewAt } from '../../lib/links.ts'
import { cx } from '../../ui/cx.ts'
import { Icon, type IconName } from '../../ui/icon.tsx'
import { Tooltip } from '../../ui/tooltip.tsx'
import { VIEWS } from '../../view-table.ts'

/** Without the settings, which guests of a link do not see. */
const CONTENT_VIEWS = VIEWS.filter(({ shows }) => shows !== null)

/** The feed, and the views of the open collection, in the rail. */
export function RailLinks({ narrow }: { narrow: boolean }) {
  const id = useAtomValue(openCollectionIdAtom)
  const query = useAtomValue(narrowingQueryAtom)
  const { pathname } = useLocation()
  const current = viewAt(pathname)?.view
  return (
    <div className="grid gap-5">
      {!guestLink && (
        <RailLink
          to={PATHS.feed}
          label={t`Feed`}
          icon="dynamic-feed"
          current={pathname === PATHS.feed}
          narrow={narrow}
          badge={<FeedBadge />}
        />
      )}
      {id && (
        <ul className="grid gap-0.5">
          {(guestLink ? CONTENT_VIEWS : VIEWS).map(({ view, label, icon }) => (
            <li key={view}>
              <RailLink to={collectionLink(view, id, query)} label={say(label)} current={view === current} {...{ icon, narrow }} />
            </li>
          ))}
        </ul>
      )}
    </div>
  )
}

interface RailLinkProps {
  to: string
  label: string
  icon: IconName
  current: boolean
  narrow: boolean
  badge?: ReactNode
}

function RailLink({ to, label, icon, current, narrow, badge }: RailLinkProps) {
  return (
    <MaybeTooltip text={narrow ? label : null}>
      {/* Not a NavLink: its class function would not survive the tooltip. */}
      <Link
        to={to}
        aria-current={current ? 'page' : undefined}
        className={cx(
          'relative flex items-center gap-3 rounded-md text-sm font-medium transition-colors duration-(--fast)',
          current ? 'bg-accent-soft text-accent' : 'text-muted hover:bg-muted hover:text-default',
          narrow ? 'size-10 justify-center' : 'h-9 px-2.5',
        )}
      >
        <Icon name={icon} />
        <span className={narrow ? 'sr-only' : ''}>{label}</span>
        {badge && <span className={narrow ? 'absolute -top-1 -end-1' : 'ms-auto'}>{badge}</span>}
      </Link>
    </MaybeTooltip>
  )
}

/** Larger counts are shown as this number and a plus. */
const MAX_COUNT = 9

/** The number of new entries in the feed; renders nothing for none. */
function FeedBadge() {
  const count = useAtomValue(unseenAtom)
  if (count === 0) return null
  const text = count > MAX_COUNT ? `${MAX_COUNT}+` : String(count)
  return (
    <span className="grid h-5 min-w-5 place-items-center rounded-full bg-accent px-1.5 text-xs font-semibold tabular-nums text-on-accent">
      <Trans comment="New entries of the feed: “3 new”">
        {text}
        <span className="sr-only"> new</span>
      </Trans>
    </span>
  )
}

function MaybeTooltip({ text, children }: { text: string | null; children: ReactElement }) {
  return text ? (
    <Tooltip text={text} side="right">
      {children}
    </Tooltip>
  ) : (
    children
  )
}

/** The same at the bottom of a small screen; Settings is in the picker's menu there. */
export function BottomBar() {
  const id = useAtomValue(openCollectionIdAtom)
  const query = useAtomValue(narrowingQueryAtom)
  return (
    <nav
      data-bottom-bar=""
      aria-label={t`Views`}
      className="fixed inset-x-0 bottom-0 z-30 border-t bg-raised pb-[env(safe-area-inset-bottom)]"
    >
      <ul className="mx-auto flex max-w-md">
        {!guestLink && !id && <BarLink to={PATHS.collections} label={t`Collections`} icon="grid-view" />}
        {!guestLink && <BarLink to={PATHS.feed} label={t`Feed`} icon="dynamic-feed" badge={<FeedBadge />} />}
        {id &&
          CONTENT_VIEWS.map(({ view, label, icon }) => (
            <BarLink key={view} to={collectionLink(view, id, query)} label={say(label)} icon={icon} />
          ))}
      </ul>
    </nav>
  )
}

function BarLink({ to, label, icon, badge }: Pick<RailLinkProps, 'to' | 'label' | 'icon' | 'badge'>) {
  return (
    <li className="grow basis-0">
      <NavLink
        to={to}
        end
        className={({ isActive }) =>
          cx('grid h-14 place-content-center justify-items-center gap-0.5 text-xs font-medium', isActive ? 'text-accent' : 'text-muted')
        }
      >
        {({ isActive }) => (
          <>
            <span className={cx('relative grid h-7 w-14 place-items-center rounded-full', isActive && 'bg-accent-soft')}>
              <Icon name={icon} size={22} />
              {badge && <span className="absolute -top-1.5 start-9">{badge}</span>}
            </span>
            <span className="px-1 whitespace-nowrap">{label}</span>
          </>
        )}
      </NavLink>
    </li>
  )
}
