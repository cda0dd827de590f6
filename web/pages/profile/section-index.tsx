import { type MouseEvent, useEffect, useRef, useState } from 'react'
import { t } from '#say'
import { cx } from '../../ui/cx.ts'

/** Links to the sections of the page, beside it where there is room. The current one is marked. */
export function SectionIndex({ sections }: { sections: readonly { id: string; title: string }[] }) {
  const { current, choose } = useCurrent(sections)
  const go = (event: MouseEvent, id: string) => {
    event.preventDefault()
    choose(id)
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

/** Events by which a user scrolls; a press may be on the scrollbar. */
const SCROLLING = ['wheel', 'touchmove', 'keydown', 'pointerdown'] as const

/** The chosen section until the user scrolls; then the first that is visible in the upper half of the window, and at the end of the page the last. */
function useCurrent(sections: readonly { id: string }[]) {
  const [current, setCurrent] = useState(sections[0]?.id)
  const chosen = useRef(false)
  useEffect(() => {
    const seen = new Set<string>()
    const update = () => {
      if (chosen.current) return
      const { scrollTop, clientHeight, scrollHeight } = document.documentElement
      const atEnd = scrollTop > 0 && scrollTop + clientHeight >= scrollHeight - 1
      const shown = atEnd ? sections.at(-1) : sections.find(({ id }) => seen.has(id))
      if (shown) setCurrent(shown.id)
    }
    const observer = new IntersectionObserver(
      (entries) => {
        for (const { target, isIntersecting } of entries) {
          if (isIntersecting) seen.add(target.id)
          else seen.delete(target.id)
        }
        update()
      },
      { rootMargin: '-10% 0px -50% 0px' },
    )
    for (const { id } of sections) {
      const element = document.getElementById(id)
      if (element) observer.observe(element)
    }
    const listening = new AbortController()
    const options = { signal: listening.signal, passive: true }
    const release = () => {
      chosen.current = false
    }
    for (const type of SCROLLING) addEventListener(type, release, options)
    addEventListener('scroll', update, options)
    return () => {
      listening.abort()
      observer.disconnect()
    }
  }, [sections])
  const choose = (id: string) => {
    chosen.current = true
    setCurrent(id)
  }
  return { current, choose }
}
