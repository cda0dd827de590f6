import { useSetAtom } from 'jotai'
import { useEffect } from 'react'
import { useSearchParams } from 'react-router'
import { fetchInvitedAtom } from '../../atoms/collections.ts'
import { addErrorToastAtom, addToastAtom } from '../../atoms/toasts.ts'

/** Greets those who come back from the link in the mail that confirms their address: `?verified=1`, or 0 when it did not work. */
export function useVerified(): void {
  const [search, setSearch] = useSearchParams()
  const verified = search.get('verified')
  const fetchInvited = useSetAtom(fetchInvitedAtom)
  const addToast = useSetAtom(addToastAtom)
  const addError = useSetAtom(addErrorToastAtom)
  useEffect(() => {
    if (verified === null) return
    setSearch({}, { replace: true })
    if (verified !== '1' || search.has('error')) {
      addError('This link does not work any more', 'Ask for a new one beside your collections or in your profile.')
      return
    }
    addToast({ id: 'verified', title: 'Your e-mail address is confirmed', color: 'success', icon: 'mark-email-read' })
    void fetchInvited()
  }, [verified, search, setSearch, fetchInvited, addToast, addError])
}
