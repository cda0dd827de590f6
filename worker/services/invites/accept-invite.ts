import { t } from '#say'
import type { Member } from '../../../contract/members.ts'
import { foldEmail } from '../../../contract/text.ts'
import type { AppEnv } from '../../context.ts'
import { AppError, notFound } from '../../http/errors.ts'
import { acceptInvitation, declineInvitation } from '../../queries/own-invites.ts'

type Caller = Pick<AppEnv['Variables'], 'db' | 'user'>

/** Makes the caller, whose address must be confirmed, a member by their invitation. A repeated call returns the same membership. Throws `gone` for a closed invitation. */
export async function acceptInvite({ db, user }: Caller, collectionId: string): Promise<Member> {
  const invitee = { userId: user.id, email: foldEmail(user.email) }
  const { state, expired, member } = await acceptInvitation(db, invitee, collectionId)
  if (!state) throw notFound(t`The invitation was not found`)
  if (member) return member
  if (state === 'cancelled') throw new AppError('gone', t`This invitation was cancelled. Ask for a new one`)
  if (state === 'declined') throw new AppError('gone', t`You declined this invitation. Ask for a new one`)
  if (state === 'accepted') throw new AppError('gone', t`This invitation has already been used. Ask for a new one`)
  throw new AppError('gone', expired ? t`This invitation has expired. Ask for a new one` : t`This invitation is no longer open`)
}

/** Declines the invitation. A closed one is unchanged. */
export async function declineInvite({ db, user }: Caller, collectionId: string): Promise<void> {
  const state = await declineInvitation(db, foldEmail(user.email), collectionId)
  if (!state) throw notFound(t`The invitation was not found`)
  if (state === 'accepted') throw new AppError('conflict', t`You have accepted this invitation. Leave the collection instead`)
}
