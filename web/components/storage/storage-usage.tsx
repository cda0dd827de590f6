import { useSetAtom } from 'jotai'
import { type ReactNode, useState } from 'react'
import { t } from '#say'
import { Trans } from '#say/react'
import { formatSize } from '../../../contract/format-size.ts'
import type { Usage } from '../../../contract/usage.ts'
import { fetchUsageAtom } from '../../atoms/usage.ts'
import { ALMOST_FULL, fullness } from '../../lib/usage.ts'
import { Progress } from '../../ui/progress.tsx'
import { FailedNotice, Notice, Skeleton } from '../../ui/states.tsx'
import { useLoad } from '../use-load.ts'

interface StorageUsageProps {
  /** Without it, the usage of the account. */
  collectionId?: string
  /** Shown when it is almost full: how to make room. */
  advice: string
  /** Below the usage. */
  children?: ReactNode
}

/** How much of its quota an account or a collection uses. */
export function StorageUsage({ collectionId, advice, children }: StorageUsageProps) {
  const fetchUsage = useSetAtom(fetchUsageAtom)
  const [usage, setUsage] = useState<Usage | null>(null)
  const [failure, load] = useLoad(async () => setUsage(await fetchUsage(collectionId)))
  if (failure) return <FailedNotice message={failure} onRetry={load} />
  if (!usage) return <Skeleton className="h-16" />
  const { bytes, items, quota } = usage
  const share = fullness(usage)
  return (
    <div className="grid justify-items-start gap-4">
      <div className="grid w-full gap-2">
        <p className="flex flex-wrap justify-between gap-x-4 gap-y-1 text-sm tabular-nums">
          <span>
            <Trans>
              <span className="font-medium">{formatSize(bytes)}</span> of {formatSize(quota.bytes)}
            </Trans>
          </span>
          <span className="text-muted">
            <Trans>
              {items} of {quota.items} posts and files
            </Trans>
          </span>
        </p>
        <Progress value={Math.min(1, share)} label={t`Storage used`} />
      </div>
      {share >= ALMOST_FULL && (
        <Notice tone="warning">
          {share < 1 ? t`Almost full.` : t`Full: nothing can be added.`} {advice}
        </Notice>
      )}
      {children}
    </div>
  )
}
