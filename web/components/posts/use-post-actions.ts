import { useAtomValue, useSetAtom } from 'jotai'
import { t } from '#say'
import { personName } from '../../../contract/person-name.ts'
import { may } from '../../../contract/policy.ts'
import type { Post } from '../../../contract/posts.ts'
import { selectedCollectionAtom } from '../../atoms/collections.ts'
import { mayEditAtom, mayRemoveAtom } from '../../atoms/rights.ts'
import { addToastAtom } from '../../atoms/toasts.ts'
import { collectionLink } from '../../lib/links.ts'
import { useOtherCollections } from '../fields/collections-field.tsx'
import { useAct } from '../overlays/use-act.ts'
import { useOpen } from '../overlays/use-open.ts'
import { useShare } from '../sharing/use-share.ts'
import { useTrashItems } from '../trash/use-trash-items.ts'
import { loadEditPost } from './post-dialogs.ts'

const loadLinkPost = async () => (await import('./link-post-dialog.tsx')).LinkPostDialog

/** Actions on a post, with the reason for those that are not allowed. */
export function usePostActions(post: Post) {
  const collection = useAtomValue(selectedCollectionAtom)
  const mayEdit = useAtomValue(mayEditAtom)(post)
  const mayRemove = useAtomValue(mayRemoveAtom)(post)
  const others = useOtherCollections().filter(({ id }) => !post.collections.some(({ collection_id }) => collection_id === id))
  const trash = useTrashItems()
  const addToast = useSetAtom(addToastAtom)
  const open = useOpen()
  const { share, whyNot } = useShare()
  const act = useAct()
  const reader = !may(collection?.role, 'item.add')
  const readOnly = t`Your role is read-only. An admin or the owner can change it.`
  const author = personName(post.user_name)

  return {
    whyNotEdit: mayEdit ? undefined : reader ? readOnly : t`${author} wrote this. Its author, an admin or the owner can change it.`,
    whyNotRemove: mayRemove ? undefined : reader ? readOnly : t`${author} wrote this. Its author, an admin or the owner can delete it.`,
    whyNotLink: reader ? readOnly : others.length === 0 ? t`You cannot add to any other collection.` : undefined,
    whyNotShare: whyNot([post]),
    share: () => share([post]),
    edit: () => void open(loadEditPost, { post }),
    link: () => void open(loadLinkPost, { post }),
    copyLink: () =>
      act(async () => {
        if (!collection) return
        await navigator.clipboard.writeText(location.origin + collectionLink('timeline', collection.id, `&item=${post.id}`))
        addToast({ title: t`Link copied`, description: t`Members of ${collection.name} can open it.`, icon: 'link' })
      }),
    /** Resolves to whether the post was trashed. */
    remove: async (): Promise<boolean> => (await trash.remove([post])) !== null,
  }
}
