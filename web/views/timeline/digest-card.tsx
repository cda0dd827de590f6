import { useId } from 'react'
import { Plural } from '#say/react'
import { postIcon } from '../../components/item-icons.ts'
import { PassingImage } from '../../components/photos/passing-image.tsx'
import { imageSources, kindOf } from '../../lib/media.ts'
import { countOf, countText } from '../../lib/media-text.ts'
import { responsiveSources } from '../../lib/photos/responsive-image.ts'
import { monthText } from '../../lib/scroll/scrub-marks.ts'
import type { Digest } from '../../lib/timeline/types.ts'
import { cx } from '../../ui/cx.ts'
import { Icon } from '../../ui/icon.tsx'

interface DigestCardProps {
  /** `2025-05`, `2025`, or null for no date. */
  period: string | null
  digest: Digest
  onOpen: (period: string) => void
}

const MAX_TITLES = 4

/** Summary of a month or a year: some of its photos, the counts, and titles of posts. The whole card opens it. */
export function DigestCard({ period, digest: { covers, assets, posts }, onOpen }: DigestCardProps) {
  const id = useId()
  const titles = posts.slice(0, MAX_TITLES)
  const counts = [assets.length > 0 && countOf(assets.map(({ type }) => kindOf(type))), posts.length > 0 && countText(posts.length, 'post')]
  return (
    <article
      aria-labelledby={id}
      className="relative mb-4 overflow-hidden rounded-xl border bg-raised transition-[border-color,box-shadow] duration-(--slow) ease-out has-[button:hover]:border-strong has-[button:hover]:shadow-raised has-focus-visible:outline-2 has-focus-visible:outline-offset-2 has-focus-visible:outline-ring"
    >
      <Covers covers={covers} />
      <div className="p-5">
        <div className="flex flex-wrap items-baseline gap-x-3">
          <h2 id={id} className="text-[1.0625rem] leading-snug font-semibold tabular-nums">
            {period === null ? (
              monthText(null)
            ) : (
              <button
                type="button"
                onClick={() => onOpen(period)}
                className="text-start outline-none first-letter:uppercase after:absolute after:inset-0 after:rounded-xl"
              >
                {monthText(period)}
              </button>
            )}
          </h2>
          <p className="text-sm text-muted tabular-nums">{counts.filter(Boolean).join(' · ')}</p>
        </div>
        {titles.length > 0 && (
          <ul className="mt-3 grid gap-1.5 text-sm">
            {titles.map((post) => (
              <li key={post.id} className="flex min-w-0 items-center gap-2">
                <Icon name={postIcon(post.type)} size={16} className="shrink-0 text-(--text-muted)" />
                <span className="truncate" dir="auto">
                  {post.title}
                </span>
              </li>
            ))}
            {posts.length > titles.length && (
              <li className="ps-6 text-muted tabular-nums">
                <Plural value={posts.length - titles.length} one="and # more" other="and # more" />
              </li>
            )}
          </ul>
        )}
      </div>
    </article>
  )
}

/** Columns by the number of photos; a fuller year takes two rows. */
function Covers({ covers }: { covers: Digest['covers'] }) {
  if (covers.length === 0) return null
  const rows = covers.length > 5 ? [covers.slice(0, 5), covers.slice(5)] : [covers]
  return (
    <div aria-hidden="true" className="grid gap-0.5">
      {rows.map((row) => (
        <div
          key={row[0]?.id}
          className={cx('flex gap-0.5', covers.length === 1 ? 'aspect-[16/7]' : rows.length > 1 ? 'h-24 sm:h-32' : 'h-32 sm:h-44')}
        >
          {row.map((asset, index) => (
            <span
              key={asset.id}
              className={cx('min-w-0 basis-0 overflow-hidden', rows.length === 1 && index === 0 ? 'grow-[1.6]' : 'grow')}
            >
              <PassingImage
                {...(covers.length === 1 ? responsiveSources(asset, '100vw md:672px') : { sources: imageSources(asset, 'thumb') })}
                alt=""
                thumbhash={asset.thumbhash}
                frameClassName="size-full"
              />
            </span>
          ))}
        </div>
      ))}
    </div>
  )
}
