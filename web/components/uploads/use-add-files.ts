import { useAtomValue, useSetAtom } from 'jotai'
import { useCallback } from 'react'
import { t } from '#say'
import { may } from '../../../contract/policy.ts'
import { selectedCollectionAtom } from '../../atoms/collections.ts'
import { addToastAtom } from '../../atoms/toasts.ts'
import { addFilesAtom } from '../../atoms/uploads.ts'
import { pickFiles } from '../../lib/pick-files.ts'
import { useAct } from '../overlays/use-act.ts'

/** Ways to add files to the open collection; shows a message to users who may not. */
export function useAddFiles() {
  const collection = useAtomValue(selectedCollectionAtom)
  const addFiles = useSetAtom(addFilesAtom)
  const addToast = useSetAtom(addToastAtom)
  const act = useAct()
  const id = collection?.id
  const name = collection?.name ?? ''
  const allowed = may(collection?.role, 'item.add')

  const add = useCallback(
    (files: readonly File[]) => {
      if (!id || files.length === 0) return
      if (allowed) void act(() => addFiles(id, files))
      else
        addToast({
          id: 'no-upload',
          title: t`You cannot add to ${name}`,
          description: t`An admin or the owner can make you a writer.`,
          icon: 'lock',
        })
    },
    [id, name, allowed, addFiles, addToast, act],
  )
  const choose = useCallback(async () => add(await pickFiles()), [add])
  return { allowed, add, choose, name }
}
