import { useAtomValue, useSetAtom } from 'jotai'
import { t } from '#say'
import { Trans } from '#say/react'
import type { Asset } from '../../../contract/assets.ts'
import { formatSize } from '../../../contract/format-size.ts'
import { personName } from '../../../contract/person-name.ts'
import { mayUnstackAtom, partsOfAtom, unstackAtom } from '../../atoms/groups.ts'
import { typeLabel } from '../../lib/media.ts'
import { Button } from '../../ui/button.tsx'
import { Icon } from '../../ui/icon.tsx'
import { useAct } from '../overlays/use-act.ts'
import { DownloadLink } from './download-link.tsx'
import { useMayDownload } from './use-may-download.ts'

/** All parts of an item, each to download, and taking it apart for those who may. Renders nothing for an item of one part. */
export function LightboxParts({ asset }: { asset: Asset }) {
  const parts = useAtomValue(partsOfAtom)(asset)
  const mayUnstack = useAtomValue(mayUnstackAtom)(parts)
  const unstack = useSetAtom(unstackAtom)
  const act = useAct()
  const mayDownload = useMayDownload()
  const { group } = asset
  if (!group || parts.length < 2 || !mayDownload) return null
  return (
    <section aria-label={t`Parts`} className="border-t px-5 pt-5 pb-8 text-sm">
      <h3 className="flex items-center gap-4 font-semibold">
        <Icon name="stacks" className="text-(--text-muted)" />
        <Trans>Parts</Trans>
      </h3>
      <ul className="mt-2 grid gap-1">
        {parts.map((part) => (
          <li key={part.id}>
            <DownloadLink
              asset={part}
              title={t`Download ${part.name}`}
              className="flex min-h-11 items-center gap-4 rounded-md hover:bg-muted"
            >
              <Icon name="download" className="text-(--text-muted)" />
              <span className="min-w-0 grow">
                <span className="block truncate" dir="auto">
                  {part.name}
                </span>
                <span className="block text-muted tabular-nums">
                  {typeLabel(part)} · {formatSize(part.size)} · {personName(part.user_name)}
                </span>
              </span>
            </DownloadLink>
          </li>
        ))}
      </ul>
      {mayUnstack && (
        <Button variant="ghost" size="sm" icon="stacks" className="mt-3 -ms-2" onClick={() => void act(() => unstack(group))}>
          <Trans>Unstack</Trans>
        </Button>
      )}
    </section>
  )
}
