import { useAtomValue } from 'jotai'
import { guestAtom } from '../../atoms/guest.ts'
import { guestLink } from '../../lib/guest/link.ts'

/** Members may download originals; guests if their link lets them. */
export function useMayDownload(): boolean {
  const guest = useAtomValue(guestAtom)
  return !guestLink || guest?.link.download === true
}
