import { useSetAtom } from 'jotai'
import { t } from '#say'
import { addToastAtom } from '../../atoms/toasts.ts'
import { useAct } from './use-act.ts'

/** Copies a text and says so in a toast. */
export function useCopyText() {
  const addToast = useSetAtom(addToastAtom)
  const act = useAct()
  return (text: string) =>
    act(async () => {
      await navigator.clipboard.writeText(text)
      addToast({ title: t`Text copied`, icon: 'content-copy' })
    })
}
