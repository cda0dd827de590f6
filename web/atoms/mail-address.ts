import { atom } from 'jotai'
import { t } from '#say'
import { deleteMailAddress, getMailAddress, type MailAddress, putMailAddress } from '../../contract/mail-addresses.ts'
import { named } from '../lib/action-error.ts'
import { call } from '../lib/api.ts'

/** How to write posts by mail to a collection. Throws ApiError. */
export const fetchMailAddressAtom = atom(null, async (_get, _set, id: string): Promise<MailAddress> => {
  return (await call(getMailAddress, { params: { id } })).mail
})

/** Creates or replaces the address, and returns it. Throws ActionError. */
export const makeMailAddressAtom = atom(null, async (_get, _set, id: string): Promise<string> => {
  return (await named(t`The address could not be made`, call(putMailAddress, { params: { id } }))).address
})

export const removeMailAddressAtom = atom(null, (_get, _set, id: string) =>
  named(t`Posts by mail could not be turned off`, call(deleteMailAddress, { params: { id } })),
)
