import type { ReactNode } from 'react'

/** In place of a list without rows that is one part of a page. `EmptyState` is for a whole page. */
export function EmptyNotice({ children, role }: { children: ReactNode; role?: 'status' }) {
  return (
    <p role={role} className="w-full rounded-lg border border-dashed border-strong px-4 py-5 text-sm text-muted">
      {children}
    </p>
  )
}
