import { useAtomValue } from 'jotai'
import { Dialog as Radix } from 'radix-ui'
import { type KeyboardEvent, type RefObject, useLayoutEffect, useRef, useState } from 'react'
import { Link } from 'react-router'
import { joined } from '#language'
import { t } from '#say'
import { Trans } from '#say/react'
import { personName } from '../../../contract/person-name.ts'
import type { Post } from '../../../contract/posts.ts'
import { collectionsAtom } from '../../atoms/collections.ts'
import { selectedCollectionIdAtom } from '../../atoms/selected-collection.ts'
import { sessionUserIdAtom } from '../../atoms/session.ts'
import { formatWhen } from '../../lib/dates/text.ts'
import { localZone } from '../../lib/dates/zones.ts'
import { latinKey } from '../../lib/latin-key.ts'
import { collectionLink } from '../../lib/links.ts'
import { isTyping } from '../../lib/palette/key-owner.ts'
import { readingKey } from '../../lib/reading-direction.ts'
import { hasOwnEscape, useReturnFocus } from '../../ui/dialog.tsx'
import { Icon } from '../../ui/icon.tsx'
import { Scrim } from '../../ui/scrim.tsx'
import { useAtComments } from '../answers/at-comments.ts'
import { EditingMark } from '../editing-mark.tsx'
import { postIcon } from '../item-icons.ts'
import { LocationMap } from '../map/location-map.tsx'
import { lazyPart, OptionalPart } from '../optional-part.tsx'
import { OriginalAuthor } from '../original-author.tsx'
import { PhotoMosaic } from '../photos/photo-mosaic.tsx'
import { PlaceMark } from '../place-mark.tsx'
import { kindOfPost, whenInFull } from '../post-words.ts'
import { RichText } from '../rich-text.tsx'
import { UnsavedMark } from '../unsaved-mark.tsx'
import { usePeople } from '../use-people.ts'
import { UserAvatar } from '../user-avatar.tsx'
import { ReaderBar } from './reader-bar.tsx'
import { usePostActions } from './use-post-actions.ts'

const PostAnswers = lazyPart(async () => (await import('../answers/post-answers.tsx')).PostAnswers)

interface PostReaderProps {
  post: Post
  /** Scroll position before one of its photos was opened. */
  scrolled: RefObject<number>
  onPrevious: (() => void) | undefined
  onNext: (() => void) | undefined
  onOpenAsset: (id: string) => void
  onClose: () => void
}

/** One post for reading: photos, text, date, location and people. */
export function PostReader({ post, scrolled, onPrevious, onNext, onOpenAsset, onClose }: PostReaderProps) {
  const returnFocus = useReturnFocus(true)
  const actions = usePostActions(post)
  const page = useRef<HTMLDivElement>(null)
  const [atComments, setAtComments] = useState<string | null>(null)
  useAtComments(post.id, () => setAtComments(post.id))
  useLayoutEffect(() => {
    if (page.current) page.current.scrollTop = scrolled.current
  }, [scrolled])
  const [leafed, setLeafed] = useState(false)
  const leaf = (go: (() => void) | undefined) => {
    if (page.current) page.current.scrollTop = 0
    setLeafed(true)
    go?.()
  }
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.ctrlKey || event.metaKey || event.altKey || event.shiftKey || event.defaultPrevented) return
    // Keys of a menu or a dialog above bubble through React's tree.
    if (!(event.target instanceof Node) || !event.currentTarget.contains(event.target)) return
    // A comment is being written.
    if (event.key !== 'Escape' && isTyping(event.target)) return
    // Radix handles Esc only a moment after the reader is rendered, and not while a toast is above it.
    if (event.key === 'Escape') onClose()
    else if (readingKey(event) === 'ArrowLeft') leaf(onPrevious)
    else if (readingKey(event) === 'ArrowRight') leaf(onNext)
    else if (latinKey(event) === 'e' && !actions.whyNotEdit) actions.edit()
    else return
    event.preventDefault()
  }
  return (
    <Radix.Root open onOpenChange={(open) => open || onClose()}>
      <Radix.Portal>
        <Scrim />
        <Radix.Content
          aria-modal="true"
          data-viewer=""
          aria-describedby={undefined}
          onKeyDown={onKeyDown}
          onEscapeKeyDown={(event) => hasOwnEscape(event.target) && event.preventDefault()}
          onOpenAutoFocus={(event) => {
            event.preventDefault()
            page.current?.focus({ preventScroll: true })
          }}
          onCloseAutoFocus={(event) => {
            event.preventDefault()
            returnFocus()
          }}
          className="fixed z-50 flex animate-rise-in flex-col overflow-hidden bg-raised shadow-dialog outline-none max-sm:inset-0 max-sm:pt-[env(safe-area-inset-top)] sm:top-1/2 sm:left-1/2 sm:max-h-[calc(100dvh-3rem)] sm:w-[min(46rem,calc(100vw-2rem))] sm:-translate-1/2 sm:rounded-xl sm:border"
        >
          <ReaderBar
            actions={actions}
            onPrevious={onPrevious && (() => leaf(onPrevious))}
            onNext={onNext && (() => leaf(onNext))}
            onClose={onClose}
          />
          <p role="status" className="sr-only">
            {leafed && post.title}
          </p>
          <div
            ref={page}
            tabIndex={-1}
            data-scroller=""
            onScroll={(event) => {
              scrolled.current = event.currentTarget.scrollTop
            }}
            className="min-h-0 grow overflow-y-auto pb-[env(safe-area-inset-bottom)] outline-none"
          >
            <ReadPost key={post.id} post={post} atComments={atComments === post.id} onOpenAsset={onOpenAsset} />
          </div>
        </Radix.Content>
      </Radix.Portal>
    </Radix.Root>
  )
}

interface ReadPostProps {
  post: Post
  atComments: boolean
  onOpenAsset: (id: string) => void
}

function ReadPost({ post, atComments, onOpenAsset }: ReadPostProps) {
  const when = whenInFull(post)
  return (
    <article aria-label={post.title}>
      <PhotoMosaic assets={post.assets} onOpen={onOpenAsset} />
      <div className="grid grid-cols-1 gap-6 px-5 py-6 sm:px-10 sm:py-9">
        <header className="grid gap-2">
          <p className="flex items-center gap-1.5 text-sm font-medium text-muted">
            <Icon name={postIcon(post.type)} size={18} />
            {kindOfPost(post)}
          </p>
          <Radix.Title className="text-xl leading-tight font-semibold text-balance wrap-anywhere">{post.title}</Radix.Title>
          {when && <p className="text-muted tabular-nums">{when}</p>}
        </header>
        {post.body && <RichText html={post.body} className="max-w-prose text-[1.0625rem] leading-7 text-pretty" />}
        <PostLocation post={post} />
        <PostPeople ids={post.people} />
        <Written post={post} />
        <OptionalPart>
          <PostAnswers post={post} first={atComments} />
        </OptionalPart>
      </div>
    </article>
  )
}

function PostLocation({ post }: { post: Post }) {
  const collectionId = useAtomValue(selectedCollectionIdAtom)
  const userId = useAtomValue(sessionUserIdAtom)
  if (!post.location) return null
  const { lat, lon, name } = post.location
  return (
    <section aria-label={t`Place`} className="grid gap-2">
      <p className="flex flex-wrap items-center gap-x-3 gap-y-1 text-sm">
        <span className="flex min-w-0 items-center gap-1.5">
          <Icon name="location-on" size={18} className="text-(--text-muted)" />
          <span className="wrap-anywhere">{name || `${lat.toFixed(4)}, ${lon.toFixed(4)}`}</span>
        </span>
        {collectionId && (
          <Link to={collectionLink('map', collectionId, `&at=${lat.toFixed(4)},${lon.toFixed(4)},6`)} className="text-accent underline">
            <Trans>Show on map</Trans>
          </Link>
        )}
      </p>
      <PlaceMark place={post.place} own={post.user_id === userId} />
      <LocationMap key={`${lat},${lon}`} location={post.location} className="h-36" />
    </section>
  )
}

function PostPeople({ ids }: { ids: readonly string[] }) {
  const known = usePeople(ids.length > 0)
  const people = ids.flatMap((id) => known.find((person) => person.id === id) ?? [])
  if (people.length === 0) return null
  return (
    <ul aria-label={t`People`} className="flex flex-wrap gap-1.5">
      {people.map(({ id, name, user_id }) => (
        <li key={id} className="flex h-8 max-w-full items-center gap-1.5 rounded-full bg-muted pe-3 ps-1.5 text-sm">
          <UserAvatar userId={user_id} name={name} size="2xs" />
          <span className="truncate" dir="auto">
            {name}
          </span>
        </li>
      ))}
    </ul>
  )
}

/** Author, date of writing and last change, and collections. */
function Written({ post }: { post: Post }) {
  const collections = useAtomValue(collectionsAtom)
  const names = post.collections.flatMap(({ collection_id }) => collections?.find(({ id }) => id === collection_id)?.name ?? [])
  const moment = (date: string) => formatWhen({ date, date_zone: localZone(), date_precision: 'minute' })
  return (
    <footer className="flex flex-wrap items-center gap-x-3 gap-y-2 border-t pt-4 text-sm text-muted">
      <span className="flex min-w-0 items-center gap-2">
        <UserAvatar userId={post.user_id} name={post.user_name} size="xs" />
        <span className="truncate" dir="auto">
          {personName(post.user_name)}
        </span>
        <OriginalAuthor name={post.original_author} />
      </span>
      <span className="tabular-nums">{moment(post.created_at)}</span>
      {post.version > 1 && (
        <span className="tabular-nums" title={moment(post.updated_at)}>
          <Trans>Edited {formatWhen({ date: post.updated_at, date_zone: localZone(), date_precision: 'day' })}</Trans>
        </span>
      )}
      {names.length > 0 && (
        <span className="flex min-w-0 items-center gap-1.5">
          <Icon name="collections-bookmark" size={16} />
          <span className="wrap-anywhere">{joined(names)}</span>
        </span>
      )}
      <UnsavedMark id={post.id} />
      <EditingMark itemId={post.id} />
    </footer>
  )
}
