import { t } from '#say'
import { Trans } from '#say/react'
import { useAddFiles } from '../../components/uploads/use-add-files.ts'
import { useNotifyFirstRender } from '../../components/use-notify-first-render.ts'
import { useWide } from '../../components/use-wide.ts'
import { Button } from '../../ui/button.tsx'
import { EmptyState, Skeleton } from '../../ui/states.tsx'

/** Widths of plausible first rows, so that nothing jumps when the photos arrive. */
const ROWS = [
  [3, 2, 3, 4],
  [2, 4, 3, 3],
  [4, 3, 2, 3],
]

export function MediaSkeleton() {
  return (
    <div role="status" aria-label={t`Loading photos`} className="grid gap-1">
      <div className="flex h-11 items-center">
        <Skeleton className="h-4 w-52" />
      </div>
      {ROWS.map((row) => (
        <div key={row.join()} className="flex h-30 gap-1 sm:h-55">
          {row.map((grow, index) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: the shapes never change
            <div key={index} style={{ flexGrow: grow }} className={index > 2 ? 'hidden sm:block' : ''}>
              <Skeleton rounded="xs" className="size-full" />
            </div>
          ))}
        </div>
      ))}
    </div>
  )
}

export function MediaEmpty() {
  useNotifyFirstRender()
  const { allowed, choose } = useAddFiles()
  const wide = useWide()
  if (!allowed) {
    return (
      <EmptyState icon="photo-library" title={t`No photos yet`}>
        <Trans>Photos appear here once a member adds them.</Trans>
      </EmptyState>
    )
  }
  return (
    <EmptyState
      icon="add-photo-alternate"
      title={wide ? t`No photos yet. Drop some anywhere.` : t`No photos yet`}
      action={
        <Button variant="primary" icon="upload" onClick={() => void choose()}>
          <Trans>Choose files</Trans>
        </Button>
      }
    >
      <Trans>They are sorted by the day they were taken, and you can keep working while they upload.</Trans>
    </EmptyState>
  )
}
