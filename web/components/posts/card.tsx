import { useAtomValue } from 'jotai'
import { type RefObject, useEffect, useRef } from 'react'
import { Trans } from '#say/react'
import { personName } from '../../../contract/person-name.ts'
import type { Post } from '../../../contract/posts.ts'
import { searchWordsAtom } from '../../atoms/filters.ts'
import { markWords } from '../../lib/filters/highlight.ts'
import { Button } from '../../ui/button.tsx'
import { Icon } from '../../ui/icon.tsx'
import { Menu, MenuItem } from '../../ui/menu.tsx'
import { EditingMark } from '../editing-mark.tsx'
import { postIcon } from '../item-icons.ts'
import { lazyPart, OptionalPart } from '../optional-part.tsx'
import { OriginalAuthor } from '../original-author.tsx'
import { PhotoMosaic } from '../photos/photo-mosaic.tsx'
import { kindOfPost, whenBelowDay } from '../post-words.ts'
import { RichText } from '../rich-text.tsx'
import { UnsavedMark } from '../unsaved-mark.tsx'
import { UserAvatar } from '../user-avatar.tsx'

const CardAnswers = lazyPart(async () => (await import('../answers/card-answers.tsx')).CardAnswers)

interface PostCardProps {
  post: Post
  /** Opens the post for reading. */
  onOpen: () => void
  /** Opens it at its comments. Missing where what is said about it is not shown. */
  onOpenComments?: (() => void) | undefined
  onOpenAsset: (id: string) => void
  /** Missing when the role does not allow it. */
  onEdit?: (() => void) | undefined
  onRemove?: (() => void) | undefined
}

export function PostCard({ post, onOpen, onOpenComments, onOpenAsset, onEdit, onRemove }: PostCardProps) {
  const when = whenBelowDay(post)
  const card = useRef<HTMLElement>(null)
  useMarkedWords(card, post)
  return (
    <article ref={card} aria-labelledby={`post-${post.id}`} className="overflow-hidden rounded-xl border bg-raised">
      <PhotoMosaic assets={post.assets} onOpen={onOpenAsset} />
      <div className="p-5">
        <div className="flex items-start gap-3">
          <div className="min-w-0 grow">
            <h3 id={`post-${post.id}`} data-searched="" className="text-[1.0625rem] leading-snug font-semibold wrap-anywhere">
              <button type="button" onClick={onOpen} className="rounded-xs text-start hover:underline">
                {post.title}
              </button>
            </h3>
            <p className="mt-1 flex flex-wrap items-center gap-x-3 gap-y-0.5 text-sm text-muted">
              <span className="inline-flex items-center gap-1">
                <Icon name={postIcon(post.type)} size={16} />
                {kindOfPost(post)}
              </span>
              {when && <time className="inline-flex items-center">{when}</time>}
              {post.location?.name && (
                <span className="inline-flex min-w-0 items-center gap-1">
                  <Icon name="location-on" size={16} />
                  <span data-searched="" className="truncate">
                    {post.location.name}
                  </span>
                </span>
              )}
            </p>
          </div>
          {(onEdit || onRemove) && (
            <Menu
              trigger={
                <Button variant="ghost" size="sm" icon="more-horiz" iconOnly className="-mt-1 -me-2">
                  <Trans>More</Trans>
                </Button>
              }
            >
              {onEdit && (
                <MenuItem icon="edit" onSelect={onEdit}>
                  <Trans>Edit</Trans>
                </MenuItem>
              )}
              {onRemove && (
                <MenuItem icon="delete" danger onSelect={onRemove}>
                  <Trans>Move to trash</Trans>
                </MenuItem>
              )}
            </Menu>
          )}
        </div>
        {post.body && (
          <div data-searched="">
            <RichText html={post.body} className="mt-3 max-w-prose text-pretty" />
          </div>
        )}
        {onOpenComments && (
          <div className="mt-3 -mb-1 min-h-8 pointer-coarse:min-h-11">
            <OptionalPart>
              <CardAnswers post={post} onOpen={onOpenComments} />
            </OptionalPart>
          </div>
        )}
        <p className="mt-4 flex items-center gap-2 text-xs text-muted">
          <UserAvatar userId={post.user_id} name={post.user_name} size="2xs" />
          {personName(post.user_name)}
          <OriginalAuthor name={post.original_author} />
          <UnsavedMark id={post.id} />
          <EditingMark itemId={post.id} />
        </p>
      </div>
    </article>
  )
}

/** Highlights search terms in the parts of an element that carry `data-searched`. `shown` is their content; a change of it updates the highlights. */
function useMarkedWords(ref: RefObject<HTMLElement | null>, shown: unknown): void {
  const words = useAtomValue(searchWordsAtom)
  // biome-ignore lint/correctness/useExhaustiveDependencies: runs when the shown content changes
  useEffect(() => markWords(ref.current?.querySelectorAll('[data-searched]') ?? [], words), [ref, words, shown])
}
