import { t } from '#say'
import { Mark } from '../../ui/mark.tsx'
import { Skeleton } from '../../ui/states.tsx'

const ROWS = ['w-24', 'w-28', 'w-20']

/** The shell in its final layout, while the session is loading. */
export function AppSkeleton() {
  return (
    <div
      role="status"
      aria-label={t`Loading Cairn`}
      className="min-h-dvh lg:grid lg:grid-cols-[var(--rail-width)_1fr] lg:in-data-[rail=narrow]:grid-cols-[var(--rail-narrow)_1fr]"
    >
      <div className="box-content flex h-14 items-center gap-2 border-b px-3 pt-[env(safe-area-inset-top)] lg:hidden">
        <span className="grid size-11 place-items-center">
          <Mark size={26} />
        </span>
        <Skeleton className="h-5 w-36" />
      </div>
      <div className="hidden border-e bg-rail p-4 lg:block">
        <Mark size={28} />
        <div className="mt-8 grid gap-5 in-data-[rail=narrow]:hidden">
          <Skeleton className="h-9 w-full" />
          {ROWS.map((width) => (
            <Skeleton key={width} className={`h-4 ${width}`} />
          ))}
        </div>
      </div>
      <div className="p-6 lg:p-10">
        <Skeleton className="h-7 w-48" />
        <div className="mt-8 grid grid-cols-2 gap-4 md:grid-cols-3 xl:grid-cols-4">
          {ROWS.map((key) => (
            <Skeleton key={key} className="h-40" />
          ))}
        </div>
      </div>
    </div>
  )
}
