import { setTimeout as sleep } from 'node:timers/promises'
import sharp from 'sharp'
import { Client } from '../../dev/http-client.ts'
import { answered } from './figures.ts'
import { LISTED, type Peer, type Picture, placeOf, SCREEN, screen } from './peers-work.ts'

/** All photos are of this month, so that one bucket of Immich's timeline holds them. */
const MONTH = '2020-06'
/** Uploads under way at a time while the account is filled. */
const LANES = 8
/** Milliseconds that Immich has for a thumbnail. */
const THUMBNAIL_WITHIN = 60_000
/** Milliseconds that Immich has for its queues: a new date of each photo is also written into a file beside it. */
const RESTED_WITHIN = 180_000
/** Milliseconds between two looks. */
const LOOK = 20

/** Where an Immich server listens, and the key of an account of it that may do everything. The benchmark adds some 2,000 photos and albums to that account. */
export interface ImmichServer {
  url: string
  key: string
}

/** From `IMMICH_URL` and `IMMICH_API_KEY`; null without an address. */
export function immichServer({ IMMICH_URL: url, IMMICH_API_KEY: key }: NodeJS.ProcessEnv): ImmichServer | null {
  if (!url) return null
  if (!URL.canParse(url)) throw new Error(`IMMICH_URL is no address: ${url}`)
  if (!key)
    throw new Error(
      'IMMICH_API_KEY is missing. Make a key with all permissions in the settings of an account that may be filled with photos',
    )
  return { url, key }
}

/**
 * The same work in Immich, of version 2 or 3, by its API alone: its account has as many photos as a list shows, not as many as the other programs. It has no
 * posts: an album is created, and the description of a photo is edited.
 */
export async function immichPeer({ url, key }: ImmichServer, { photo }: Picture): Promise<{ name: string; peer: Peer }> {
  const client = new Client(url)
  const call = (method: string, path: string, body?: unknown) => client.call(method, `/api${path}`, body, { headers: { 'x-api-key': key } })
  const { major, minor, patch } = await answered(call('GET', '/server/version'))
  let added = 0
  const add = async (bytes: Uint8Array<ArrayBuffer>): Promise<string> => {
    const form = new FormData()
    const date = dateOf(added++)
    for (const name of ['fileCreatedAt', 'fileModifiedAt']) form.append(name, date)
    // Version 3 knows the file by its bytes.
    if (major < 3)
      for (const [name, value] of Object.entries({ deviceId: 'cairn', deviceAssetId: crypto.randomUUID() })) form.append(name, value)
    form.append('assetData', new File([bytes], `photo-${added}.jpg`, { type: 'image/jpeg' }))
    return (await answered(call('POST', '/assets', form), 201)).id
  }
  const upload = () => add(photo())
  const thumbnail = (id: string) => call('GET', `/assets/${id}/thumbnail?size=thumbnail`)
  const show = (id: string) => answered(thumbnail(id))
  const uploadAndShow = async () => {
    const id = await upload()
    await until(`made no thumbnail within`, THUMBNAIL_WITHIN, async () => (await thumbnail(id)).status === 200)
    return id
  }
  const ids = await fillAccount(add)
  const [first, second] = [await screen(uploadAndShow), await screen(uploadAndShow)]
  const editAll = (body: object) => answered(call('PUT', '/assets', { ids, ...body }), 204)
  const list = () => call('POST', '/search/metadata', { size: LISTED })
  const bucket = () => call('GET', `/timeline/bucket?timeBucket=${MONTH}-01`)
  const counts = () => answered(call('GET', '/timeline/buckets'))
  const peer: Peer = {
    empty: () => answered(call('GET', '/server/ping')),
    list: () => answered(list()),
    compact: () => answered(bucket()),
    one: (run) => answered(call('GET', `/assets/${ids[run % ids.length]}`)),
    counts,
    create: () => answered(call('POST', '/albums', { albumName: 'Load', description: 'Words' }), 201),
    edit: (run) => answered(call('PUT', `/assets/${ids[0]}`, { description: `Edit ${run}` })),
    place: (run) => {
      const { lat, lon } = placeOf(run)
      return editAll({ latitude: lat, longitude: lon })
    },
    date: (run) => editAll({ dateTimeOriginal: dateOf(run) }),
    upload,
    uploadAndShow,
    rest: () =>
      until('had work to do for more than', RESTED_WITHIN, async () => {
        const queues: Queue[] = await answered(call('GET', '/queues'))
        return queues.every(({ statistics: { active, waiting, delayed } }) => active + waiting + delayed === 0)
      }),
    thumbnails: { first: (run) => show(first[run % SCREEN] ?? ''), second: (run) => show(second[run % SCREEN] ?? '') },
    async facts() {
      const photos = (await counts()).reduce((sum: number, { count }: { count: number }) => sum + count, 0)
      return { photos, list: (await list()).bytes.length, compact: (await bucket()).bytes.length }
    },
  }
  return { name: `Immich ${major}.${minor}.${patch}`, peer }
}

/** Ids of LISTED small photos of different bytes, which Immich would otherwise take for one. */
async function fillAccount(add: (bytes: Uint8Array<ArrayBuffer>) => Promise<string>): Promise<string[]> {
  const runs = Array.from({ length: LISTED }, (_, n) => n).values()
  const begun = Date.now()
  const ids: string[] = []
  const lane = async () => {
    for (const run of runs) {
      const background = { r: run % 256, g: (run >> 8) % 256, b: begun % 256 }
      const jpeg = sharp({ create: { width: 64, height: 48, channels: 3, background } }).withExif({
        IFD0: { Copyright: `${begun} ${run}` },
      })
      ids.push(await add(new Uint8Array(await jpeg.jpeg().toBuffer())))
    }
  }
  await Promise.all(Array.from({ length: LANES }, lane))
  return ids
}

interface Queue {
  statistics: Record<'active' | 'waiting' | 'delayed', number>
}

async function until(failure: string, within: number, look: () => Promise<boolean>): Promise<void> {
  for (const end = Date.now() + within; Date.now() < end; await sleep(LOOK)) if (await look()) return
  throw new Error(`Immich ${failure} ${within / 1000} s`)
}

/** A day of MONTH. */
const dateOf = (run: number) => `${MONTH}-${String(1 + (run % 28)).padStart(2, '0')}T12:00:00.000Z`
