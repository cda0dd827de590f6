import { t } from '#say'
import { newId } from '../../contract/ids.ts'
import type { OwnJoinRequest } from '../../contract/join-requests.ts'
import { LIMITS } from '../../contract/limits.ts'
import type { Member } from '../../contract/members.ts'
import type { InviteRole } from '../../contract/policy.ts'
import { joinedMail, joinRequestMail } from '../content/join-mail.ts'
import { nameInMail } from '../content/mail-content.ts'
import { connect, type Db } from '../db/client.ts'
import type { Env } from '../env.ts'
import { requireRole } from '../http/access.ts'
import { AppError, forbidden, notFound } from '../http/errors.ts'
import { inLanguage, languageOfReader } from '../language.ts'
import { sendMail } from '../mail.ts'
import { nameIn, pushToUsers } from '../push/send.ts'
import type { Holder } from '../queries/claims.ts'
import {
  acceptJoinRequest,
  declineJoinRequest,
  findRequestToTell,
  insertJoinRequest,
  type JoinAnswer,
  type RequestKey,
  type RequestToTell,
  withdrawJoinRequest,
} from '../queries/join-requests.ts'
import type { Caller } from '../queries/permissions.ts'
import { findLanguages } from '../queries/users.ts'
import { limitAttempts } from './accounts/limit-attempts.ts'

type Manager = Caller<'members.manage'>

/** Throws 404 for a link that does not open this collection, 403 if it lets nobody ask or an admin has said no, 409 for members. */
export async function askToJoin(
  db: Db,
  { userId, collectionId, holder, factor }: { userId: string; collectionId: string; holder: Holder; factor: string | undefined },
): Promise<{ made: boolean; request: OwnJoinRequest }> {
  await limitAttempts(db, { actions: ['joinRequest'], user: userId, link: holder.link, factor, what: tooManyRequests })
  const { asks, member, state, full, request } = await insertJoinRequest(db, { id: newId(), userId, collectionId, holder })
  if (asks === null) throw notFound(t`The link was not found`)
  if (member) throw new AppError('conflict', t`You are a member of this collection already`)
  if (!asks) throw forbidden(t`This link does not let people ask to become members`)
  if (state === 'declined') throw forbidden(t`An admin has declined your request. Talk to whoever sent you the link`)
  if (!request || (full && state !== 'pending'))
    throw new AppError(
      'conflict',
      t`${{ count: LIMITS.joinRequestsPerCollection }} people are waiting for an answer already. Try again later`,
    )
  return { made: state !== 'pending', request }
}

const tooManyRequests = (wait: string) => t`Too many requests for one day. Try again in ${wait}`

/** Throws 409 if an admin has answered: what is decided stays. */
export async function withdrawRequest(db: Db, userId: string, collectionId: string): Promise<void> {
  const before = await withdrawJoinRequest(db, userId, collectionId)
  if (before === 'accepted') throw new AppError('conflict', t`An admin has accepted your request already. You can leave the collection`)
  if (before === 'declined') throw new AppError('conflict', t`An admin has declined your request already`)
}

/** Makes the person a member. A repeated call returns the same member. Throws 403 for a role that the caller may not grant. */
export async function acceptRequest(
  caller: Manager,
  key: RequestKey,
  role: InviteRole | undefined,
): Promise<{ done: boolean; member: Member; collection: string }> {
  const { done, member, collection, ...before } = await acceptJoinRequest(caller, key, role ?? null)
  requireAnswerable(caller, before)
  if (before.state === 'declined') throw new AppError('conflict', t`This request was declined. Invite the person instead`)
  if (before.state === 'accepted' && !member) throw new AppError('gone', t`This person has since left the collection. Invite them again`)
  if (!member) throw forbidden(t`Only the owner may let somebody in as admin`)
  return { done, member, collection: collection ?? '' }
}

/** A request that was declined before stays so. */
export async function declineRequest(caller: Manager, key: RequestKey): Promise<void> {
  const before = await declineJoinRequest(caller, key)
  requireAnswerable(caller, before)
  if (before.state === 'accepted') throw new AppError('conflict', t`This request was accepted. Remove the member instead`)
}

function requireAnswerable(caller: Manager, { role, state }: Pick<JoinAnswer, 'role' | 'state'>): void {
  requireRole(role, caller.checks['members.manage'], t`Only admins and the owner answer requests`)
  if (!state) throw notFound(t`The request was not found`)
}

/** Tells everyone who may answer, by mail and in their browsers. Called after the answer to the person who asks. */
export async function tellAdmins(env: Env, db: Db, id: string): Promise<void> {
  const request = await findRequestToTell(db, id)
  if (!request) return
  const link = `${env.APP_ORIGIN}/collections/settings?c=${request.collectionId}#requests`
  const mails = request.admins.map(
    async ({ email, ...reader }) =>
      email && sendMail(env, { to: email, ...inLanguage(languageOfReader(reader), () => joinRequestMail({ ...request, link })) }),
  )
  await Promise.allSettled([...mails, pushRequest(env, db, id, request)])
}

async function pushRequest(env: Env, db: Db, id: string, { collectionId, collection, name, email, admins }: RequestToTell): Promise<void> {
  const person = nameIn(nameInMail(name) || email)
  const message = {
    title: nameIn(collection),
    path: `/collections/settings?c=${collectionId}#requests`,
    tag: `request ${id}`,
    joinRequest: { id, collectionId },
  }
  const messages = admins.map(({ id: admin, ...reader }) => ({
    userIds: [admin],
    message: { ...message, body: inLanguage(languageOfReader(reader), () => t`${person} would like to become a member`) },
  }))
  await pushToUsers(env, db, messages)
}

/** Tells the person who asked that they are in. */
export async function tellJoined(env: Env, collection: string, { collection_id, email }: Member): Promise<void> {
  if (!email) return
  const language = languageOfReader(await findLanguages(connect(env.DATABASE_URL, env.NEON_PROXY), email))
  const link = `${env.APP_ORIGIN}/collections/timeline?c=${collection_id}`
  await sendMail(env, { to: email, ...inLanguage(language, () => joinedMail({ collection, link })) })
}
