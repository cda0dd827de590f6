import { t } from '#say'
import { useConfirm } from './confirm-dialog.tsx'

/** Closes a form's dialog, after a confirmation if changes would be lost. */
export function useDiscard(dirty: boolean, close: () => void) {
  const confirm = useConfirm()
  return async () => {
    if (!dirty || (await confirm({ title: t`Discard your changes?`, confirm: t`Discard`, danger: true }))) close()
  }
}
