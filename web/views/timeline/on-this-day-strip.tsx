import { plural, t } from '#say'
import { Trans } from '#say/react'
import { useRestOfPage } from '../../components/use-rest-of-page.ts'
import { formatDay } from '../../lib/dates/text.ts'
import { imageSources, kindOf } from '../../lib/media.ts'
import { countOf } from '../../lib/media-text.ts'
import { placeholderOf } from '../../lib/photos/placeholder.ts'
import type { Anniversary } from '../../lib/timeline/on-this-day.ts'
import { cx } from '../../ui/cx.ts'
import { FadingImg, placeholderStyle } from '../../ui/image.tsx'

/** Number of visible photos. */
const FIRST = 4

interface OnThisDayStripProps {
  anniversaries: Anniversary[]
  /** Scrolls to a day of the timeline. */
  onGo: (day: string) => void
}

/** Items of today's date in earlier years, above all others. */
export function OnThisDayStrip({ anniversaries, onGo }: OnThisDayStripProps) {
  const rest = useRestOfPage()
  if (anniversaries.length === 0) return null
  return (
    <section aria-labelledby="on-this-day" className="pt-2 pb-2">
      <h2 id="on-this-day" className="pb-3 text-sm font-medium text-muted">
        <Trans>On this day</Trans>
      </h2>
      <ul className="-mx-4 flex snap-x scroll-px-4 gap-3 overflow-x-auto px-4 pb-2 [scrollbar-width:thin] sm:mx-0 sm:scroll-px-0 sm:px-0">
        {anniversaries.slice(0, rest ? undefined : FIRST).map(({ day, years, posts, assets, cover }) => {
          const sources = cover ? imageSources(cover, 'thumb') : []
          const title = posts[0]?.title ?? countOf(assets.map(({ type }) => kindOf(type)))
          return (
            <li key={day} className="shrink-0 snap-start">
              <button
                type="button"
                onClick={() => onGo(day)}
                className="relative flex h-40 w-56 flex-col justify-end overflow-hidden rounded-xl border bg-accent-faint p-4 text-start"
                style={cover ? placeholderStyle(placeholderOf(cover.thumbhash)) : {}}
              >
                {sources.length > 0 && (
                  <span className="absolute inset-0">
                    <FadingImg sources={sources} alt="" />
                    <span className="absolute inset-0 bg-linear-to-t from-black/80 via-black/55 to-transparent" />
                  </span>
                )}
                <span className={cx('relative text-xs font-medium', sources.length > 0 ? 'text-white' : 'text-muted')}>
                  {yearsAgo(years)}
                  <span className="sr-only">, {formatDay(day)}: </span>
                </span>
                <span dir="auto" className={cx('relative line-clamp-2 font-semibold', sources.length > 0 && 'text-white')}>
                  {title}
                </span>
              </button>
            </li>
          )
        })}
      </ul>
    </section>
  )
}

function yearsAgo(years: number): string {
  return t`${plural(years, { one: '# year ago', other: '# years ago' })}`
}
