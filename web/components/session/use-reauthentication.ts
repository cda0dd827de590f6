import { useCallback } from 'react'
import { needsReauthentication } from '../../atoms/account.ts'
import { useAsk } from '../overlays/overlay-outlet.tsx'

/** Runs an action; where the server wants its person to prove who they are, asks and runs it again. Resolves to undefined when given up. */
export function useReauthentication() {
  const ask = useAsk()
  return useCallback(
    async <T>(action: () => Promise<T>): Promise<T | undefined> => {
      try {
        return await action()
      } catch (error) {
        if (!needsReauthentication(error)) throw error
      }
      const { ReauthenticationDialog } = await import('./reauthentication-dialog.tsx')
      return (await ask(ReauthenticationDialog, {})) ? action() : undefined
    },
    [ask],
  )
}
