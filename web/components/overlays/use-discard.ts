import { useConfirm } from './confirm-dialog.tsx'

/** Closes a form's dialog; where something would be lost, only after asking. */
export function useDiscard(dirty: boolean, close: () => void) {
  const confirm = useConfirm()
  return async () => {
    if (!dirty || (await confirm({ title: 'Discard what you wrote?', confirm: 'Discard', danger: true }))) close()
  }
}
