import { useAtomValue } from 'jotai'
import { useState } from 'react'
import { Link, type LinkProps, useLocation, useNavigate } from 'react-router'
import { numberText } from '#language'
import { plural, t } from '#say'
import { Trans } from '#say/react'
import { collectionsAtom, invitedCollectionsAtom, selectedCollectionAtom } from '../../atoms/collections.ts'
import { collectionLink, PATHS, viewAt } from '../../lib/links.ts'
import { cx } from '../../ui/cx.ts'
import { Icon } from '../../ui/icon.tsx'
import { Popover } from '../../ui/popover.tsx'
import { CollectionBadge } from '../collection-icon.tsx'
import { useNewCollection } from '../collections/use-new-collection.ts'
import { TRASH_OPEN } from '../trash/host.tsx'
import { changed } from '../use-view-param.ts'
import { CollectionList } from './collection-list.tsx'

/** The open collection, and a menu of all others. */
export function CollectionPicker({ narrow = false }: { narrow?: boolean }) {
  const [open, setOpen] = useState(false)
  const collections = useAtomValue(collectionsAtom)
  const selected = useAtomValue(selectedCollectionAtom)
  const invitations = useAtomValue(invitedCollectionsAtom)?.length ?? 0
  const { pathname, search } = useLocation()
  const view = viewAt(pathname)?.view ?? 'media'
  const navigate = useNavigate()
  const newCollection = useNewCollection()
  const close = () => setOpen(false)
  const name = selected?.name ?? (collections?.length === 0 ? t`No collection yet` : t`Choose a collection`)

  return (
    <Popover
      open={open}
      onOpenChange={setOpen}
      label={t`Collections`}
      side={narrow ? 'right' : 'bottom'}
      className="w-72"
      trigger={
        <button
          type="button"
          className={cx(
            'flex items-center gap-2.5 rounded-lg border border-transparent text-start transition-colors duration-(--fast) hover:bg-muted aria-expanded:bg-muted',
            narrow ? 'size-11 justify-center lg:bg-transparent' : 'h-11 w-full px-1.5 lg:border-strong lg:bg-raised',
          )}
        >
          <span className="relative flex shrink-0">
            {selected ? (
              <CollectionBadge icon={selected.icon} theme={selected.theme} />
            ) : (
              <span className="grid size-8 place-items-center rounded-md bg-muted text-muted">
                <Icon name="collections-bookmark" size={20} />
              </span>
            )}
            {invitations > 0 && <CountDot count={invitations} />}
          </span>
          <span className={narrow ? 'sr-only' : 'relative min-w-0 grow truncate font-medium'} dir="auto">
            <span className="sr-only">
              <Trans>Collection:</Trans>{' '}
            </span>
            {name}
            {invitations > 0 && <span className="sr-only">, {countOf(invitations)}</span>}
          </span>
          {!narrow && <Icon name="unfold-more" size={18} className="text-(--text-muted)" />}
        </button>
      }
    >
      <CollectionList
        collections={collections ?? []}
        selectedId={selected?.id ?? null}
        onChoose={(id) => {
          close()
          void navigate(collectionLink(view, id))
        }}
      />
      <div className="grid grid-cols-1 gap-px border-t p-1">
        {selected && (
          <MenuLink to={collectionLink('settings', selected.id)} icon="settings" onClick={close} className="lg:hidden">
            <Trans>Settings of {selected.name}</Trans>
          </MenuLink>
        )}
        {invitations > 0 && (
          <MenuLink to={PATHS.collections} icon="mail" onClick={close}>
            {countOf(invitations)}
          </MenuLink>
        )}
        <MenuLink to={PATHS.collections} icon="grid-view" onClick={close}>
          <Trans>All collections</Trans>
        </MenuLink>
        <MenuLink to={{ pathname, search: changed(search, TRASH_OPEN) }} icon="delete" onClick={close}>
          <Trans context="noun">Trash</Trans>
        </MenuLink>
        <button
          type="button"
          className={MENU_LINE}
          onClick={() => {
            close()
            void newCollection()
          }}
        >
          <Icon name="add" size={18} className="text-(--text-muted)" />
          <Trans>New collection</Trans>
        </button>
      </div>
    </Popover>
  )
}

const MENU_LINE =
  'flex min-h-9 w-full items-center gap-2.5 rounded-md px-2.5 py-1.5 text-start text-sm hover:bg-muted pointer-coarse:min-h-11 focus-visible:-outline-offset-2'

interface MenuLinkProps {
  to: LinkProps['to']
  icon: 'mail' | 'grid-view' | 'settings' | 'delete'
  onClick: () => void
  className?: string
  children: React.ReactNode
}

function MenuLink({ to, icon, onClick, className, children }: MenuLinkProps) {
  return (
    <Link to={to} onClick={onClick} className={cx(MENU_LINE, className)}>
      <Icon name={icon} size={18} className="text-(--text-muted)" />
      <span className="min-w-0 truncate">{children}</span>
    </Link>
  )
}

function countOf(invitations: number): string {
  return t`${plural(invitations, { one: '# invitation', other: '# invitations' })}`
}

function CountDot({ count }: { count: number }) {
  return (
    <span
      aria-hidden="true"
      className="absolute -top-1.5 -end-1.5 grid h-5 min-w-5 place-items-center rounded-full bg-accent px-1.5 text-xs font-semibold text-on-accent tabular-nums"
    >
      {numberText(count)}
    </span>
  )
}
