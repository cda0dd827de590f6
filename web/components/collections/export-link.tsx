import { t } from '#say'
import { Trans } from '#say/react'
import type { Collection } from '../../../contract/collections.ts'
import { buttonClass } from '../../ui/button-class.ts'
import { Icon } from '../../ui/icon.tsx'

export const exportUrl = (id: string) => `/api/collections/${id}/export`

/** Downloads the collection as a ZIP. The browser shows the progress and continues while the app is used. */
export function ExportLink({ collection, small = false }: { collection: Pick<Collection, 'id' | 'name'>; small?: boolean }) {
  const size = small ? 'sm' : 'md'
  return (
    <a href={exportUrl(collection.id)} download aria-label={t`Export ${collection.name}`} className={buttonClass({ size })}>
      <Icon name="download" size={18} />
      <Trans context="verb">Export</Trans>
    </a>
  )
}
