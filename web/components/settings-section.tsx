import { type ReactNode, useEffect, useId, useRef } from 'react'
import { useLocation } from 'react-router'

interface SettingsSectionProps {
  title: string
  /** Target of the links in the section list. */
  anchor?: string
  description?: ReactNode
  action?: ReactNode
  children: ReactNode
}

/** One section of a settings page: heading and description on the left, controls on the right. */
export function SettingsSection({ title, anchor, description, action, children }: SettingsSectionProps) {
  const id = useId()
  const section = useRef<HTMLElement>(null)
  const { hash } = useLocation()
  const meant = anchor !== undefined && hash === `#${anchor}`
  // The section may be there only after the page has been opened.
  useEffect(() => {
    if (meant) section.current?.scrollIntoView()
  }, [meant])
  return (
    <section
      ref={section}
      aria-labelledby={id}
      id={anchor}
      tabIndex={-1}
      className="grid scroll-mt-4 gap-x-12 gap-y-5 border-t py-8 outline-none first:border-t-0 first:pt-2 xl:grid-cols-[15rem_minmax(0,1fr)]"
    >
      <header>
        <h2 id={id} className="font-semibold">
          {title}
        </h2>
        {description && <p className="mt-1 max-w-prose text-sm text-pretty text-muted">{description}</p>}
        {action && <div className="mt-4">{action}</div>}
      </header>
      <div className="min-w-0">{children}</div>
    </section>
  )
}

export const SETTINGS_PAGE = 'max-w-5xl px-4 pb-16 lg:px-8'
export const ROWS = 'min-w-0 divide-y rounded-lg border bg-raised'
export const ROW = 'flex flex-wrap items-center gap-x-3 gap-y-2 px-4 py-3'
