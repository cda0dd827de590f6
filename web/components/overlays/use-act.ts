import { useSetAtom } from 'jotai'
import { useCallback } from 'react'
import { say } from '#language'
import { addErrorToastAtom } from '../../atoms/toasts.ts'
import { ActionError } from '../../lib/action-error.ts'
import { isLoadFailure, LOAD_FAILURE } from '../../lib/load-failure.ts'
import { messageOf } from '../../lib/message-of.ts'

/** Runs an action outside a form; a failure is shown in a toast. Resolves to whether it succeeded. */
export function useAct() {
  const addError = useSetAtom(addErrorToastAtom)
  return useCallback(
    async (action: () => Promise<unknown>): Promise<boolean> => {
      try {
        await action()
        return true
      } catch (error) {
        if (error instanceof ActionError) addError(error.message, error.detail)
        else addError(isLoadFailure(error) ? say(LOAD_FAILURE) : messageOf(error))
        return false
      }
    },
    [addError],
  )
}
