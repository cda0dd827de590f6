import { say } from '#language'
import { msg, plural, t } from '#say'
import { newId } from '../../../contract/ids.ts'
import { LIMITS } from '../../../contract/limits.ts'
import type { Link, LinkEdit, NewLink } from '../../../contract/links.ts'
import { may, type Role } from '../../../contract/policy.ts'
import { hashSecret, newSecret } from '../../auth/secret.ts'
import { unknownIds } from '../../http/access.ts'
import { AppError, collectionNotFound, forbidden, notFound } from '../../http/errors.ts'
import { endLink, insertLink, type LinkChange, type LinkKey, listLinks, updateLink } from '../../queries/links.ts'
import type { Caller } from '../../queries/permissions.ts'
import { hashPassword } from './password.ts'

type Maker = Caller<'links.make'>
type Granter = Caller<'links.make' | 'members.manage'>

const LOOK_ONLY = msg`Your role lets you look. Ask an admin to make the link`
const GRANT_ONLY = msg`Only the owner may let people ask to become admins`
const NOT_ITS_MAKER = msg`Whoever made this link may not let people ask for that role. Make a link of your own`
const OWN_ONLY = msg`Your role lets you link to your own posts and files. Ask an admin to link to more`

/** Throws 404 for those outside of the collection, 403 for readers. */
function requireMaker(role: Role | null): asserts role is Role {
  if (!role) throw collectionNotFound()
  if (!may(role, 'links.make', true)) throw forbidden(say(LOOK_ONLY))
}

function refuseUnknown({ items, people }: { items: string[]; people: string[] }): void {
  if (items.length > 0) throw unknownIds((ids) => t`In this collection, not found: ${ids}`, 'itemIds', items)
  if (people.length > 0) throw unknownIds((ids) => t`People of the collection not found: ${ids}`, 'filters', people)
}

/** Throws 403 for more than the caller may link to, 404 for items and people that are not in the collection, 409 if it has too many links. */
export async function makeLink(
  caller: Granter,
  collectionId: string,
  input: NewLink,
): Promise<{ made: boolean; link: Link; secret: string }> {
  const secret = newSecret(16)
  const written = await insertLink(caller, {
    collectionId,
    id: input.id ?? newId(),
    kind: input.kind,
    itemIds: input.itemIds,
    filters: input.filters,
    hash: await hashSecret(secret),
    ...(await valuesOf(input)),
  })
  requireMaker(written.role)
  if (written.link) return { made: written.made, link: written.link, secret }
  refuseUnknown(written.unknown)
  if (!written.permitted) throw forbidden(input.join && may(written.role, 'links.make') ? say(GRANT_ONLY) : say(OWN_ONLY))
  if (written.full)
    throw new AppError(
      'conflict',
      t`A collection has at most ${plural({ count: LIMITS.linksPerCollection }, { one: '# link', other: '# links' })}. End one that is no longer needed`,
    )
  throw new AppError('conflict', t`This id is taken. Send another one`)
}

async function valuesOf({ name, password, endsAt, allows, approve, location, download, askName, preview, join, role }: NewLink) {
  return {
    name: name ?? null,
    password: password ? await hashPassword(password) : null,
    endsAt: endsAt ?? null,
    allows: allows ?? 'look',
    approve: approve ?? true,
    location: location ?? 'hidden',
    download: download ?? false,
    askName: askName ?? false,
    preview: preview ?? true,
    joinRole: join ? (role ?? ('read' as const)) : null,
  }
}

export async function editLink(caller: Granter, key: LinkKey, { password, ...edit }: LinkEdit): Promise<Link> {
  const change: LinkChange = {
    ...edit,
    ...(password !== undefined && { password: password === null ? null : await hashPassword(password) }),
  }
  const { role, unknown, outcome, link } = await updateLink(caller, key, change)
  requireMaker(role)
  if (outcome === 'ended') throw new AppError('gone', t`This link has ended. Make a new one`)
  if (outcome === 'kind')
    throw new AppError(
      'invalid',
      t`A link keeps its kind: itemIds are for chosen items, filters for a filter, join and adding for the whole collection`,
    )
  if (outcome === 'role') throw forbidden(role === 'owner' ? say(NOT_ITS_MAKER) : say(GRANT_ONLY))
  if (outcome === 'unknown') refuseUnknown(unknown)
  if (outcome === 'foreign') throw forbidden(t`Whoever made this link may show their own items alone. Make a link of your own`)
  if (outcome !== 'done' || !link) throw notFound(t`The link was not found`)
  return link
}

export async function removeLink(caller: Maker, key: LinkKey): Promise<void> {
  const { role, found } = await endLink(caller, key)
  requireMaker(role)
  if (!found) throw notFound(t`The link was not found`)
}

export async function linksOfCollection(caller: Maker, collectionId: string): Promise<Link[]> {
  const { role, links } = await listLinks(caller, collectionId)
  requireMaker(role)
  return links
}
