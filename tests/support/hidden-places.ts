import { ENDPOINTS } from '../../contract/routes.ts'
import type { Client } from '../../dev/http-client.ts'
import { Unzipped } from './archives.ts'
import { jpegLike, upload } from './files.ts'
import { type World, world } from './world.ts'

/** In the cell of a tenth of a degree whose middle is 64.15, -21.95. */
export const COTTAGE = { lat: 64.14638, lon: -21.94261, name: 'Elfhome' }
export const TOWN = { lat: 64.15, lon: -21.95 }
const WHEN = { date: '2024-07-01T12:00:00Z', dateZone: 'Atlantic/Reykjavik', datePrecision: 'minute' as const }
/** What nobody may learn who does not see the place. */
const SECRETS = ['64.146', '21.942', 'Elfhome', 'Reykjavik', 'Grandmas']

/** A collection of ada with a post, photos and a group of tom, who writes, all at the cottage. */
export interface Scene {
  w: World
  id: string
  post: string
  photo: string
  group: string
  /** Path of the calendar of each member. */
  calendars: Record<string, string>
  /** The revision before anything was in it. */
  since: number
}

export async function cottage(): Promise<Scene> {
  const w = await world({ rae: 'read', wes: 'write', tom: 'write', dee: 'admin', eve: null })
  const { id, revision: since } = w.collection
  const tom = w.as('tom')
  const meta = { ...WHEN, location: COTTAGE, collectionIds: [id] }
  const photo = (await upload(tom, jpegLike(), { ...meta, name: 'a.jpg' })).id
  const other = (await upload(tom, jpegLike(), { ...meta, name: 'b.jpg' })).id
  const trashed = (await upload(tom, jpegLike(), { ...meta, name: 'c.jpg' })).id
  const grouped = await tom.post(`/api/collections/${id}/groups`, { assetIds: [photo, other], cover: photo })
  const event = {
    type: 'event',
    kind: 'trip',
    title: 'Summer',
    body: '<p>Sun</p>',
    ...meta,
    endsAt: '2024-07-02T12:00:00Z',
    existingAssetIds: [photo],
  }
  const post = (await tom.post('/api/post', event)).body.post.id
  await tom.delete(`/api/asset/${trashed}`)
  const calendars: Record<string, string> = {}
  for (const name of ['rae', 'wes', 'tom', 'dee'])
    calendars[name] = new URL((await w.as(name).put(`/api/collections/${id}/calendar-link`, {})).body.url).pathname
  return { w, id, post, photo, group: grouped.body.group.id, calendars, since }
}

/** What each reading call of the contract is asked with. */
function pathsOf({ id, post, photo, group, calendars, since, w }: Scene, name: string): string[] {
  const fill: Record<string, string[]> = {
    '/api/post': [`?collection_id=${id}`, '', `?collection_id=${id}&form=columns`, `?collection_id=${id}&since=${since}`],
    '/api/asset': [`?collection_id=${id}`, '', `?collection_id=${id}&form=columns`, `?collection_id=${id}&since=${since}&form=columns`],
    '/api/bootstrap': ['', `?collection_id=${id}`],
    '/api/post/{id}': ['', `?collection_id=${id}`],
  }
  return ENDPOINTS.filter(({ method }) => method === 'GET').flatMap(({ path }) => {
    const full = path
      .replace('/api/users/{id}', `/api/users/${w.as('tom').id}`)
      .replace('/api/collections/{id}', `/api/collections/${id}`)
      .replace('/api/post/{id}', `/api/post/${post}`)
      .replace('{groupId}', group)
      .replace('{rendition}', 'thumb')
      .replace('{provider}', 'google')
      .replace('{modifiers}', 'w_320')
      .replace('/api/calendar/{file}', calendars[name] ?? '/api/calendar/none')
      .replace('{id}', photo)
    return (fill[path] ?? ['']).map((query) => full + query)
  })
}

/** Asks every reading call of the contract, and returns those whose answer has something of the place, with what it has. */
export async function leaksTo(scene: Scene, name: string): Promise<Record<string, string[]>> {
  const leaks: Record<string, string[]> = {}
  for (const path of pathsOf(scene, name)) {
    const found = await secretsIn(scene.w.as(name), path)
    if (found.length > 0) leaks[path] = found
  }
  return leaks
}

/** The secrets of the place that one answer contains, also inside a ZIP. */
export async function secretsIn(who: Client, path: string): Promise<string[]> {
  const { bytes, headers } = await who.get(path)
  const texts = [Buffer.from(bytes).toString('latin1'), ...[...headers].flat()]
  if (headers.get('content-type') === 'application/zip') {
    const zip = new Unzipped(bytes)
    texts.push(...zip.names, ...Object.values(zip.files).map((file) => Buffer.from(file).toString('latin1')))
  }
  return SECRETS.filter((secret) => texts.some((text) => text.includes(secret)))
}
