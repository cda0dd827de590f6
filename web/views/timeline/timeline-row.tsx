import { useSetAtom } from 'jotai'
import { memo } from 'react'
import type { Post } from '../../../contract/posts.ts'
import { atCommentsAtom } from '../../atoms/at-comments.ts'
import { PhotoMosaic } from '../../components/photos/photo-mosaic.tsx'
import { PostCard } from '../../components/posts/card.tsx'
import { usePostActions } from '../../components/posts/use-post-actions.ts'
import { SELECTED, SelectionCheck, useIsSelected } from '../../components/selection-check.tsx'
import { formatDay, formatSometime } from '../../lib/dates/text.ts'
import type { TimelineEntry } from '../../lib/timeline/types.ts'
import { cx } from '../../ui/cx.ts'
import { DigestCard } from './digest-card.tsx'

interface TimelineRowProps {
  entry: TimelineEntry
  onOpenAsset: (id: string) => void
  onOpenPeriod: (period: string) => void
}

export const TimelineRow = memo(function TimelineRow({ entry, onOpenAsset, onOpenPeriod }: TimelineRowProps) {
  switch (entry.kind) {
    case 'day':
    case 'closed': {
      const { vague } = entry.kind === 'day' ? entry : entry.section
      return (
        <h2 className="pt-6 pb-3 font-semibold tabular-nums first-letter:uppercase">
          {vague ? formatSometime(vague) : formatDay(entry.day)}
        </h2>
      )
    }
    case 'gap':
      return (
        <p className="flex items-center gap-4 pt-8 pb-2 text-sm text-muted">
          <span className="h-px grow bg-(--border)" />
          {entry.text}
          <span className="h-px grow bg-(--border)" />
        </p>
      )
    case 'post':
      return (
        <div className="pb-4">
          <SelectablePost post={entry.post} onOpenAsset={onOpenAsset} />
        </div>
      )
    case 'assets':
      return (
        <div className="pb-4">
          <div className="overflow-hidden rounded-xl">
            <PhotoMosaic assets={entry.assets} onOpen={onOpenAsset} selectable />
          </div>
        </div>
      )
    case 'digest':
      return <DigestCard period={entry.day} digest={entry} onOpen={onOpenPeriod} />
  }
})

function SelectablePost({ post, onOpenAsset }: { post: Post; onOpenAsset: (id: string) => void }) {
  const selected = useIsSelected(post.id)
  return (
    <div data-selectable={post.id} className={cx('group/selectable relative rounded-xl', selected && SELECTED)}>
      <OwnPost post={post} onOpen={onOpenAsset} />
      <SelectionCheck id={post.id} name={post.title} className="-top-2 -start-2" />
    </div>
  )
}

/** A post with the actions that the role allows. `onOpen` opens it, or one of its photos. */
function OwnPost({ post, onOpen }: { post: Post; onOpen: (id: string) => void }) {
  const atComments = useSetAtom(atCommentsAtom)
  const { whyNotEdit, whyNotRemove, edit, remove } = usePostActions(post)
  return (
    <PostCard
      post={post}
      onOpen={() => onOpen(post.id)}
      onOpenComments={() => {
        atComments(post.id)
        onOpen(post.id)
      }}
      onOpenAsset={onOpen}
      onEdit={whyNotEdit ? undefined : edit}
      onRemove={whyNotRemove ? undefined : () => void remove()}
    />
  )
}
