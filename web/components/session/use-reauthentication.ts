import { useCallback } from 'react'
import { wantsProof } from '../../atoms/account.ts'
import { useAsk } from '../overlays/overlay-outlet.tsx'

/** Runs an action; where the server wants its person to prove who they are, asks and runs it again. Resolves to undefined when given up. */
export function useProven() {
  const ask = useAsk()
  return useCallback(
    async <T>(action: () => Promise<T>): Promise<T | undefined> => {
      try {
        return await action()
      } catch (error) {
        if (!wantsProof(error)) throw error
      }
      const { ProofDialog } = await import('./reauthentication-dialog.tsx')
      return (await ask(ProofDialog, {})) ? action() : undefined
    },
    [ask],
  )
}
