import { type MouseEvent, useEffect, useState } from 'react'
import { t } from '#say'
import { cx } from '../../ui/cx.ts'

/** Links to the sections of the page, beside it where there is room. The current one is marked. */
export function SectionIndex({ sections }: { sections: readonly { id: string; title: string }[] }) {
  const current = useCurrent(sections)
  const go = (event: MouseEvent, id: string) => {
    event.preventDefault()
    const section = document.getElementById(id)
    section?.scrollIntoView({ block: 'start' })
    section?.focus({ preventScroll: true })
  }
  return (
    <nav aria-label={t`Sections`} className="sticky top-4 hidden self-start lg:block">
      <ul className="grid gap-0.5">
        {sections.map(({ id, title }) => (
          <li key={id}>
            <a
              href={`#${id}`}
              onClick={(event) => go(event, id)}
              aria-current={id === current ? 'true' : undefined}
              className={cx(
                'block rounded-md px-3 py-1.5 text-sm transition-colors duration-(--fast) hover:bg-muted',
                id === current ? 'bg-muted font-medium text-default' : 'text-muted',
              )}
            >
              {title}
            </a>
          </li>
        ))}
      </ul>
    </nav>
  )
}

/** The first section that is visible in the upper half of the window. */
function useCurrent(sections: readonly { id: string }[]): string | undefined {
  const [current, setCurrent] = useState(sections[0]?.id)
  useEffect(() => {
    const seen = new Set<string>()
    const observer = new IntersectionObserver(
      (entries) => {
        for (const { target, isIntersecting } of entries) {
          if (isIntersecting) seen.add(target.id)
          else seen.delete(target.id)
        }
        const first = sections.find(({ id }) => seen.has(id))
        if (first) setCurrent(first.id)
      },
      { rootMargin: '-10% 0px -50% 0px' },
    )
    for (const { id } of sections) {
      const element = document.getElementById(id)
      if (element) observer.observe(element)
    }
    return () => observer.disconnect()
  }, [sections])
  return current
}
