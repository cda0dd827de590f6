import { useAtomValue } from 'jotai'
import { t } from '#say'
import { Trans } from '#say/react'
import { collectionsAtom } from '../../atoms/collections.ts'
import { itemCount } from '../../lib/bulk/words.ts'
import { sleep } from '../../lib/scheduling.ts'
import { Button } from '../../ui/button.tsx'
import { CollectionBadge } from '../collection-icon.tsx'
import { ROW, ROWS } from '../settings-section.tsx'
import { ExportLink, exportUrl } from './export-link.tsx'

/** Pause between downloads in milliseconds, so that browsers treat each one separately. */
const PAUSE = 500

/** All collections that the user owns, to be downloaded one after another. */
export function ExportList() {
  const own = (useAtomValue(collectionsAtom) ?? []).filter(({ role }) => role === 'owner')
  if (own.length === 0)
    return (
      <p className="text-sm text-muted">
        <Trans>You do not own a collection yet.</Trans>
      </p>
    )
  return (
    <div className="grid gap-4">
      <ul aria-label={t`Your collections`} className={ROWS}>
        {own.map((collection) => (
          <li key={collection.id} className={ROW}>
            <CollectionBadge icon={collection.icon} theme={collection.theme} />
            <span className="min-w-0 grow">
              <span className="block truncate font-medium" dir="auto">
                {collection.name}
              </span>
              <span className="text-sm text-muted">{itemCount(collection.post_count + collection.asset_count)}</span>
            </span>
            <ExportLink collection={collection} small />
          </li>
        ))}
      </ul>
      {own.length > 1 && (
        <Button icon="download" className="justify-self-start" onClick={() => void exportAll(own.map(({ id }) => id))}>
          <Trans comment="The number of collections">Export all {own.length}</Trans>
        </Button>
      )}
    </div>
  )
}

async function exportAll(ids: readonly string[]): Promise<void> {
  for (const id of ids) {
    const link = document.createElement('a')
    link.href = exportUrl(id)
    link.download = ''
    link.click()
    await sleep(PAUSE)
  }
}
