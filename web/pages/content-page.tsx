import { useSetAtom } from 'jotai'
import { type MouseEvent, useMemo, useSyncExternalStore } from 'react'
import { Link, useLoaderData, useLocation, useNavigate } from 'react-router'
import { dateFormat, NO_DATE_SETTINGS } from '../../contract/date-format.ts'
import { isPreview, type PagePayload, type PagePicture, type PageSummary } from '../../contract/site.ts'
import { goToAtom } from '../atoms/go-to.ts'
import { SiteLayout } from '../components/site/site-layout.tsx'
import { browserDefaults } from '../lib/dates/reader.ts'
import { readerSettings } from '../lib/dates/reader-settings.ts'
import { RSS } from '../lib/page-links.ts'
import { trustedHtml } from '../lib/trusted-types.ts'
import { cx } from '../ui/cx.ts'
import '../styles/prose.css'

/** A written page, a blog post, or the blog, all in English. The build renders it as HTML, the app hydrates it. */
export function ContentPage() {
  const page = useLoaderData<PagePayload>()
  return (
    <SiteLayout>
      <title>{`${page.title} · Cairn`}</title>
      <div lang="en" dir="ltr" className="contents">
        {page.kind === 'blog' ? <Blog page={page} /> : <Article page={page} />}
      </div>
    </SiteLayout>
  )
}

function Article({ page }: { page: PagePayload }) {
  return (
    <>
      <article className="mx-auto w-full max-w-[47rem] px-6 pt-8 pb-20 sm:pt-14">
        <header className="mb-10">
          {page.kind === 'post' && <Dateline page={page} />}
          <h1 className="mt-2 text-2xl font-semibold tracking-tight text-balance">{page.title}</h1>
          <p className="mt-4 text-[1.125rem] leading-relaxed text-pretty text-muted">{page.description}</p>
        </header>
        {/* A page shows a screenshot, uncropped; a blog post a photo. */}
        {page.picture && (
          <Picture picture={page.picture} eager className={cx('mb-10 rounded-xl', page.kind === 'post' ? 'aspect-[16/9]' : 'border')} />
        )}
        <Prose html={page.html} />
      </article>
      {page.posts.length > 0 && (
        <aside aria-labelledby="read-on" className="border-t bg-rail">
          <div className="mx-auto w-full max-w-6xl px-6 py-14">
            <h2 id="read-on" className="mb-6 text-lg font-semibold">
              Read on
            </h2>
            <Posts posts={page.posts} level={3} />
          </div>
        </aside>
      )}
    </>
  )
}

function Blog({ page }: { page: PagePayload }) {
  return (
    <div className="mx-auto w-full max-w-6xl px-6 pt-8 pb-20 sm:pt-14">
      <header className="mb-12 max-w-2xl">
        <h1 className="text-2xl font-semibold tracking-tight">{page.title}</h1>
        <p className="mt-4 text-[1.125rem] text-pretty text-muted">{page.description}</p>
        <p className="mt-3 text-sm">
          <a href={RSS} className="rounded-xs text-accent underline underline-offset-3">
            Follow it by RSS
          </a>
        </p>
      </header>
      <Posts posts={page.posts} level={2} />
    </div>
  )
}

function Posts({ posts, level }: { posts: readonly PageSummary[]; level: 2 | 3 }) {
  const Heading = `h${level}` as const
  const preview = isPreview(new URLSearchParams(useLocation().search)) ? '?preview' : ''
  return (
    <ul className="grid gap-x-8 gap-y-12 sm:grid-cols-2">
      {posts.map((post) => (
        <li key={post.path}>
          <Link to={post.path + preview} className="group block rounded-xl">
            {post.picture && <Picture picture={post.picture} className="mb-4 aspect-[16/9] rounded-xl" />}
            <Dateline page={post} />
            <Heading className="mt-1 text-lg font-semibold underline-offset-4 group-hover:underline">{post.title}</Heading>
            <p className="mt-1.5 text-pretty text-muted">{post.description}</p>
          </Link>
        </li>
      ))}
    </ul>
  )
}

const atBuild = dateFormat(NO_DATE_SETTINGS, { language: null, timeZone: 'UTC' })
const never = () => () => undefined

/** As the build wrote it, and as the reader writes it in English once the app has taken over the page. */
function Day({ date }: { date: string }) {
  const text = useSyncExternalStore(
    never,
    () => dateFormat(readerSettings() ?? NO_DATE_SETTINGS, browserDefaults()).day(date.slice(0, 10)),
    () => atBuild.day(date.slice(0, 10)),
  )
  return <time dateTime={date}>{text}</time>
}

function Dateline({ page: { date, draft } }: { page: PageSummary }) {
  return (
    <p className="flex items-center gap-2 text-sm text-muted">
      {date && <Day date={date} />}
      {draft && <span className="rounded-sm bg-warning-soft px-1.5 py-0.5 text-xs font-medium text-warning">Draft</span>}
    </p>
  )
}

/** Reserves its space before the image loads. */
function Picture({ picture, eager = false, className }: { picture: PagePicture; eager?: boolean; className: string }) {
  const { src, srcset, width, height, alt } = picture
  return (
    <img
      src={src}
      width={width}
      height={height}
      alt={alt}
      srcSet={srcset}
      sizes="(min-width: 48rem) 44rem, calc(100vw - 3rem)"
      loading={eager ? 'eager' : 'lazy'}
      fetchPriority={eager ? 'high' : 'auto'}
      decoding="async"
      className={cx('w-full bg-muted object-cover', className)}
    />
  )
}

/** HTML that the build made from our own Markdown. Its links navigate without a reload. */
function Prose({ html }: { html: string }) {
  const navigate = useNavigate()
  const goTo = useSetAtom(goToAtom)
  // Once, because React compares what it was given.
  const trusted = useMemo(() => trustedHtml(html), [html])
  const follow = (event: MouseEvent) => {
    const link = event.target instanceof Element ? event.target.closest('a') : null
    const plain = event.button === 0 && !event.metaKey && !event.ctrlKey && !event.shiftKey && !event.altKey
    if (!link || !plain || event.defaultPrevented || link.getAttribute('href')?.startsWith('#')) return
    event.preventDefault()
    // Our own pages link to other sites on purpose.
    goTo(link.href, { origin: location.origin, external: true, navigate, assign: (href) => location.assign(href) })
  }
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions lint/a11y/useKeyWithClickEvents: only handles clicks on the links inside, which the keyboard can also press
    <div
      className="prose"
      onClick={follow}
      // biome-ignore lint/security/noDangerouslySetInnerHtml: made of our own Markdown by the build
      dangerouslySetInnerHTML={{ __html: trusted }}
    />
  )
}
