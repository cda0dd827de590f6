import { Link } from 'react-router'
import { say } from '#language'
import { Plural, Trans } from '#say/react'
import type { Collection } from '../../../contract/collections.ts'
import { collectionLink } from '../../lib/links.ts'
import { Icon } from '../../ui/icon.tsx'
import { CollectionBadge, primaryOf } from '../collection-icon.tsx'
import { ROLE_NAMES } from '../roles.ts'
import { CollectionCover } from './cover.tsx'

/** A card for one collection; the whole card is a link. */
export function CollectionCard({ collection }: { collection: Collection }) {
  const { id, name, icon, theme, role, member_count, asset_count, post_count } = collection
  return (
    <li
      data-primary={primaryOf(theme)}
      className="relative flex flex-col overflow-hidden rounded-xl border bg-raised transition-[border-color,box-shadow] duration-(--slow) ease-out hover:border-strong hover:shadow-raised has-focus-visible:outline-2 has-focus-visible:outline-offset-2 has-focus-visible:outline-ring"
    >
      <CollectionCover collection={collection} />
      <div className="flex grow items-start gap-3 p-4">
        <CollectionBadge icon={icon} theme={theme} size={40} round />
        <div className="min-w-0 grow">
          <h2 className="line-clamp-2 font-semibold break-words">
            <Link to={collectionLink('media', id)} className="outline-none after:absolute after:inset-0 after:rounded-xl">
              {name}
            </Link>
          </h2>
          <p className="flex flex-wrap gap-x-3 text-sm text-muted tabular-nums">
            {asset_count + post_count === 0 && (
              <span>
                <Trans>No items yet</Trans>
              </span>
            )}
            {asset_count > 0 && (
              <span>
                <Plural value={asset_count} one="# item" other="# items" />
              </span>
            )}
            {post_count > 0 && (
              <span>
                <Plural value={post_count} one="# post" other="# posts" />
              </span>
            )}
          </p>
        </div>
        <p className="flex shrink-0 flex-col items-end gap-0.5 text-sm text-muted tabular-nums">
          <span>{say(ROLE_NAMES[role])}</span>
          {member_count > 1 && (
            <span className="inline-flex items-center gap-1">
              <Icon name="group" size={18} />
              <Trans>
                {member_count}
                <span className="sr-only">people</span>
              </Trans>
            </span>
          )}
        </p>
      </div>
    </li>
  )
}
