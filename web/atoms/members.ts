import { atom } from 'jotai'
import { t } from '#say'
import * as invites from '../../contract/invites.ts'
import * as members from '../../contract/members.ts'
import * as people from '../../contract/people.ts'
import { may, type Role } from '../../contract/policy.ts'
import { undoChange } from '../../contract/undo.ts'
import { named } from '../lib/action-error.ts'
import { call } from '../lib/api.ts'
import { latestOnly, unlessChanged } from '../lib/latest-only.ts'
import { messageOf } from '../lib/message-of.ts'
import { takeOfCollection } from '../lib/start/prefetched.ts'
import { type Circle, circleAtom, circleErrorAtom } from './circle.ts'
import { knownRevisionAtom } from './content.ts'
import { contentChangedAtom } from './content-fetch.ts'

const requests = latestOnly()
const lists = unlessChanged()

export const fetchCircleAtom = atom(null, async (get, set, collectionId: string, role: Role) => {
  const request = requests.begin()
  const revision = get(knownRevisionAtom)(collectionId)
  try {
    const circle = await lists.ask(() => circleOf(collectionId, role, revision))
    if (!request.accept()) return
    set(circleErrorAtom, () => null)
    set(circleAtom, () => ({ ...circle, revision }))
  } catch (error) {
    if (request.isCurrent()) set(circleErrorAtom, () => ({ collectionId, message: messageOf(error) }))
  }
})

async function circleOf(collectionId: string, role: Role, revision: number): Promise<Omit<Circle, 'revision'>> {
  const params = { id: collectionId }
  const early = (part: 'members' | 'people' | 'invites') => takeOfCollection(part, collectionId, revision)
  const [memberList, inviteList, peopleList] = await Promise.all([
    role === 'guest' ? { members: [] } : call(members.listMembers, { params, early: early('members') }),
    may(role, 'invites.see') ? call(invites.listInvites, { params, early: early('invites') }) : { invites: [] },
    call(people.listPeople, { params, early: early('people') }),
  ])
  return { collectionId, members: memberList.members, invites: inviteList.invites, people: peopleList.people }
}

export const changeRoleAtom = atom(null, async (_get, set, id: string, userId: string, role: 'read' | 'write' | 'admin') => {
  const { member } = await named(t`Failed to change the role`, call(members.updateMember, { params: { id, userId }, body: { role } }))
  set(changeAtom, id, (circle) => ({ members: circle.members.map((other) => (other.user_id === userId ? member : other)) }))
})

/** Removes a member, and what they added if `items` says so. Resolves to the id that undoes the latter. */
export const removeMemberAtom = atom(null, async (_get, set, id: string, userId: string, items: 'leave' | 'remove') => {
  const done = call(members.removeMember, { params: { id, userId }, query: { items } })
  const { changeId } = await named(t`Failed to remove the member`, done)
  set(changeAtom, id, (circle) => ({ members: circle.members.filter((member) => member.user_id !== userId) }))
  if (changeId) void set(contentChangedAtom, id)
  return changeId
})

/** Puts back what a removed member had added. */
export const undoRemovedItemsAtom = atom(null, async (_get, set, id: string, changeId: string) => {
  await call(undoChange, { params: { changeId } })
  void set(contentChangedAtom, id)
})

/** Sends or renews an invitation, or changes the role that a pending one offers. Resolves to whether the site sends a mail. */
export const inviteAtom = atom(null, async (_get, set, id: string, invitation: invites.NewInvite) => {
  const sent = call(invites.createInvite, { params: { id }, body: invitation })
  const { invite, mailed } = await named(t`Failed to send the invitation`, sent)
  set(changeAtom, id, (circle) => ({ invites: [...circle.invites.filter((other) => other.id !== invite.id), invite] }))
  return mailed
})

/** Invites people as readers. Resolves to one result per line. */
export const invitePeopleAtom = atom(null, async (_get, set, id: string, lines: invites.PeopleInvites['invites']) => {
  const sent = call(invites.invitePeople, { params: { id }, body: { invites: lines } })
  const { results, mailed } = await named(t`Failed to send the invitations`, sent)
  const sentInvites = results.flatMap((result) => ('invite' in result ? result.invite : []))
  const isSent = (invite: invites.Invite) => sentInvites.some((other) => other.id === invite.id)
  set(changeAtom, id, (circle) => ({ invites: [...circle.invites.filter((invite) => !isSent(invite)), ...sentInvites] }))
  return { results, mailed }
})

export const cancelInviteAtom = atom(null, async (_get, set, id: string, inviteId: string) => {
  await named(t`Failed to cancel the invitation`, call(invites.cancelInvite, { params: { id, inviteId } }))
  set(changeAtom, id, (circle) => ({ invites: circle.invites.filter((invite) => invite.id !== inviteId) }))
})

export const addPersonAtom = atom(null, async (_get, set, id: string, name: string) => {
  const { person } = await named(t`Failed to add the person`, call(people.createPerson, { params: { id }, body: { name } }))
  set(changeAtom, id, (circle) => ({ people: [...circle.people.filter((other) => other.id !== person.id), person] }))
  return person
})

export const renamePersonAtom = atom(null, async (_get, set, id: string, personId: string, name: string) => {
  const { person } = await named(t`Failed to rename the person`, call(people.updatePerson, { params: { id, personId }, body: { name } }))
  set(changeAtom, id, (circle) => ({ people: circle.people.map((other) => (other.id === personId ? person : other)) }))
})

/** Links a person to a member; null unlinks. */
export const linkPersonAtom = atom(null, async (_get, set, id: string, personId: string, userId: string | null) => {
  const done = call(people.updatePerson, { params: { id, personId }, body: { userId } })
  const { person } = await named(userId ? t`Failed to link the person` : t`Failed to unlink the person`, done)
  set(changeAtom, id, (circle) => ({ people: circle.people.map((other) => (other.id === personId ? person : other)) }))
})

/** Resolves to the id that undoes it. */
export const removePersonAtom = atom(null, async (_get, set, id: string, personId: string) => {
  const { changeId } = await named(t`Failed to remove the person`, call(people.deletePerson, { params: { id, personId } }))
  set(changeAtom, id, (circle) => ({ people: circle.people.filter((person) => person.id !== personId) }))
  void set(contentChangedAtom, id)
  return changeId
})

/** Merges a person into `intoId`. Resolves to the id that undoes it. */
export const mergePersonAtom = atom(null, async (_get, set, id: string, personId: string, intoId: string) => {
  const done = call(people.mergePerson, { params: { id, personId }, body: { intoId } })
  const { person, changeId } = await named(t`Failed to merge the two`, done)
  const rest = (circle: Circle) => circle.people.filter((other) => other.id !== personId && other.id !== intoId)
  set(changeAtom, id, (circle) => ({ people: [...rest(circle), person] }))
  void set(contentChangedAtom, id)
  return changeId
})

/** Restores a person who was removed or merged. */
export const undoPersonAtom = atom(null, async (_get, set, id: string, changeId: string) => {
  await call(undoChange, { params: { changeId } })
  const list = await call(people.listPeople, { params: { id } })
  set(changeAtom, id, () => ({ people: list.people }))
  void set(contentChangedAtom, id)
})

/** Changes the stored circle of this collection; does nothing if another one was opened in the meantime. */
const changeAtom = atom(null, (_get, set, collectionId: string, change: (circle: Circle) => Partial<Circle>) => {
  lists.changed()
  set(circleAtom, (circle) => (circle?.collectionId === collectionId ? { ...circle, ...change(circle) } : circle))
})
