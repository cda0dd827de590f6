import { inject } from 'vitest'
import { newId } from '../../contract/ids.ts'
import type { Entry, Guest, Link, NewLink, OpenedLink } from '../../contract/links.ts'
import { type Answer, type CallOptions, Client } from '../../dev/http-client.ts'
import { parseSessionKeys, seal } from '../../worker/auth/sealed.ts'
import type { World } from './world.ts'

/** A browser without an account that has opened a link: adds `link=` to its calls. */
export class GuestClient extends Client {
  link = ''
  guest: Guest = { id: '', name: null }
  opened: OpenedLink | null = null

  override call(method: string, path: string, body?: unknown, options?: CallOptions): Promise<Answer> {
    return super.call(method, this.link ? `${path}${path.includes('?') ? '&' : '?'}link=${this.link}` : path, body, options)
  }

  /** Enters by the secret of the link's address. */
  async enter(url: string, entry: Entry = {}): Promise<Answer> {
    this.link = ''
    const answer = await this.post(`/api/links/${secretOf(url)}/enter`, entry)
    if (answer.status === 200) Object.assign(this, { link: answer.body.link.id, guest: answer.body.guest, opened: answer.body.link })
    return answer
  }
}

export const secretOf = (url: string) => new URL(url).pathname.split('/').at(-1) ?? ''

export async function makeLink(maker: Client, collectionId: string, link: Partial<NewLink> = {}): Promise<Link & { url: string }> {
  const { status, body } = await maker.post(`/api/collections/${collectionId}/links`, { kind: 'collection', ...link })
  if (status !== 201) throw new Error(`The link was refused: ${status} ${JSON.stringify(body)}`)
  return body.link
}

/** A guest of a new link, or of the one that was `made`. */
export async function guestOf(
  maker: Client,
  collectionId: string,
  link: Partial<NewLink> = {},
  entry: Entry = {},
  made?: Link & { url: string },
): Promise<GuestClient & { made: Link & { url: string } }> {
  const opened = made ?? (await makeLink(maker, collectionId, link))
  const guest = Object.assign(new GuestClient(maker.origin), { made: opened })
  const { status, body } = await guest.enter(opened.url, { ...(link.password ? { password: link.password } : {}), ...entry })
  if (status !== 200) throw new Error(`The guest was refused: ${status} ${JSON.stringify(body)}`)
  return guest
}

/** A guest who was let in straight by the database. */
export async function guestIn(w: Pick<World, 'origin' | 'sql'>, link: string): Promise<GuestClient> {
  const [guest, access] = [newId(), newId()]
  await w.sql`insert into guests (id, link_id, access) values (${guest}, ${link}, ${access})`
  const client = Object.assign(new GuestClient(w.origin), { link })
  client.cookies.set(`link-${link}`, await seal({ link, guest, access }, parseSessionKeys(inject('stack').sessionKeys)))
  return client
}
