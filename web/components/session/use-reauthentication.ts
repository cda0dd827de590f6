import { useSetAtom } from 'jotai'
import { useCallback } from 'react'
import { needsReauthentication } from '../../atoms/account.ts'
import { fetchSignInWaysAtom } from '../../atoms/sign-in-ways.ts'
import { useAsk } from '../overlays/overlay-outlet.tsx'

/**
 * Runs an action and, if the server requires re-authentication, asks for it and runs the action again. Resolves to undefined when the user cancels.
 */
export function useReauthentication() {
  const ask = useAsk()
  const fetchWays = useSetAtom(fetchSignInWaysAtom)
  return useCallback(
    async <T>(action: () => Promise<T>): Promise<T | undefined> => {
      try {
        return await action()
      } catch (error) {
        if (!needsReauthentication(error)) throw error
      }
      const [{ ReauthenticationDialog }] = await Promise.all([import('./reauthentication-dialog.tsx'), fetchWays()])
      return (await ask(ReauthenticationDialog, {})) ? action() : undefined
    },
    [ask, fetchWays],
  )
}
