import type { Post } from '../../../contract/posts.ts'
import { PostCard } from './card.tsx'
import { usePostActions } from './use-post-actions.ts'

/** A post with what its reader may do to it. `onOpen` opens it, or one of its pictures. */
export function OwnPost({ post, onOpen }: { post: Post; onOpen: (id: string) => void }) {
  const { whyNotEdit, whyNotRemove, edit, remove } = usePostActions(post)
  return (
    <PostCard
      post={post}
      onOpen={() => onOpen(post.id)}
      onOpenAsset={onOpen}
      onEdit={whyNotEdit ? undefined : edit}
      onRemove={whyNotRemove ? undefined : () => void remove()}
    />
  )
}
