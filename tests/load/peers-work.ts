import { createHash, randomBytes } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import sharp from 'sharp'
import { newId } from '../../contract/ids.ts'
import { fileVersionOf } from '../../contract/images.ts'
import { RENDITIONS } from '../../contract/limits.ts'
import type { Client } from '../../dev/http-client.ts'
import { answered } from './figures.ts'

/** As many as a bulk call of Cairn may have. */
export const LISTED = 1_000
export const SCREEN = 60
const PHOTO = new URL('../../dev/demo/pictures/dragonfly-on-a-hazel-twig.jpg', import.meta.url)

/** One kind of call, `run` counts up over all rounds. */
type Call = (run: number) => Promise<unknown>

/** The calls of one program. Each throws unless the answer is the expected one. */
export interface Peer {
  empty: Call
  /** A program may lack it. */
  health?: Call
  list: Call
  /** Like `list`, in the program's most compact form. */
  compact: Call
  one: Call
  counts: Call
  create: Call
  /** A small change in the collection. */
  edit: Call
  /** Places and dates of LISTED photos. */
  place: Call
  date: Call
  upload: Call
  uploadAndShow: Call
  /** Two screens of thumbnails, so that none is asked for twice in a round. */
  thumbnails: Record<'first' | 'second', Call>
  /** Waits until the program has done what it left for after its answers, so that it takes nothing from the next one. */
  rest?: () => Promise<void>
  /** Number of photos that `counts` has found, and bytes of the answers of `list` and `compact`. */
  facts: () => Promise<{ photos: number; list: number; compact: number }>
}

export interface Picture {
  /** A JPEG of 206 KB, another one with each call. */
  photo: () => Uint8Array<ArrayBuffer>
  thumb: Uint8Array<ArrayBuffer>
  preview: Uint8Array<ArrayBuffer>
}

export async function readPicture(): Promise<Picture> {
  const jpeg = new Uint8Array(await readFile(PHOTO))
  const webp = async (width: number) =>
    new Uint8Array(await sharp(jpeg).resize({ width, withoutEnlargement: true }).webp({ quality: 80 }).toBuffer())
  return { photo: () => withComment(jpeg), thumb: await webp(RENDITIONS.thumb), preview: await webp(RENDITIONS.preview) }
}

/** A JPEG with 16 random bytes in a comment after its first marker. */
function withComment(jpeg: Uint8Array): Uint8Array<ArrayBuffer> {
  return new Uint8Array([...jpeg.subarray(0, 2), 0xff, 0xfe, 0, 18, ...randomBytes(16), ...jpeg.subarray(2)])
}

export async function cairnPeer(ada: Client, collectionId: string, picture: Picture): Promise<Peer> {
  const list = `/api/asset?collection_id=${collectionId}&limit=${LISTED}`
  const timeline = `/api/collections/${collectionId}/timeline`
  const ids: string[] = (await answered(ada.get(list))).assets.map(({ id }: { id: string }) => id)
  const post = () => ({ id: newId(), type: 'note', title: 'Load', body: '<p>Words</p>', collectionIds: [collectionId] })
  const { id: edited } = (await answered(ada.post('/api/post', post()), 201)).post
  const uploads: string = (await answered(ada.post('/api/collections', { name: 'Uploads' }), 201)).collection.id
  /** Address of the thumbnail as in the app, with the version of the file. */
  const upload = async (): Promise<string> => {
    const { asset } = await answered(ada.post('/api/asset', formOf(picture, uploads)), 201)
    return `/api/asset/${asset.id}/renditions/thumb?v=${fileVersionOf(asset)}`
  }
  const show = (thumbnail: string) => answered(ada.get(thumbnail))
  const [first, second] = [await screen(upload), await screen(upload)]
  return {
    empty: () => answered(ada.get('/api/health')),
    health: () => answered(ada.get('/api/health')),
    list: () => answered(ada.get(list)),
    compact: () => answered(ada.get(`${list}&form=columns`)),
    one: (run) => answered(ada.get(`/api/asset/${ids[run % ids.length]}`)),
    counts: () => answered(ada.get(timeline)),
    create: () => answered(ada.post('/api/post', post()), 201),
    edit: (run) => answered(ada.patch(`/api/post/${edited}`, { title: `Edit ${run}` })),
    place: (run) => answered(ada.post('/api/asset/bulk.location', { ids, location: placeOf(run) })),
    date: (run) => answered(ada.post('/api/asset/bulk.date', { ids, date: dateOf(run), datePrecision: 'minute' })),
    upload,
    uploadAndShow: async () => show(await upload()),
    thumbnails: { first: (run) => show(first[run % SCREEN] ?? ''), second: (run) => show(second[run % SCREEN] ?? '') },
    async facts() {
      const { buckets } = await answered(ada.get(timeline))
      const photos = buckets.reduce((sum: number, { assets }: { assets: number }) => sum + assets, 0)
      return { photos, list: (await ada.get(list)).bytes.length, compact: (await ada.get(`${list}&form=columns`)).bytes.length }
    },
  }
}

/** The file and what the browser makes of it. */
function formOf({ photo, thumb, preview }: Picture, collectionId: string): FormData {
  const bytes = photo()
  const checksum = createHash('sha256').update(bytes).digest('hex')
  const asset = {
    id: newId(),
    name: 'photo.jpg',
    type: 'image/jpeg',
    size: bytes.length,
    checksum,
    thumbhash: '1QcSHQRnh493V4dIh4eXh1h4kJUI',
  }
  const form = new FormData()
  form.append('asset', JSON.stringify({ ...asset, collectionIds: [collectionId] }))
  for (const [name, rendition] of Object.entries({ thumb, preview })) form.append(name, new Blob([rendition]))
  form.append('file', new File([bytes], 'photo.jpg', { type: 'image/jpeg' }))
  return form
}

export async function directusPeer(admin: Client, picture: Picture): Promise<Peer> {
  const list = `/items/photos?limit=${LISTED}&sort=-date,-id`
  const months = '/items/photos?aggregate[count]=*&groupBy[]=year(date)&groupBy[]=month(date)&limit=-1'
  const keys: string[] = (await answered(admin.get(list))).data.map(({ id }: { id: string }) => id)
  const post = () => ({ type: 'note', title: 'Load', body: '<p>Words</p>' })
  const { id: edited } = (await answered(admin.post('/items/posts', post()))).data
  const upload = async (): Promise<string> => {
    const form = new FormData()
    form.append('file', new File([picture.photo()], 'photo.jpg', { type: 'image/jpeg' }))
    return (await answered(admin.post('/files', form))).data.id
  }
  const show = (id: string) => answered(admin.get(`/assets/${id}?width=${RENDITIONS.thumb}&format=webp`))
  const [first, second] = [await screen(upload), await screen(upload)]
  // It makes a thumbnail when it is first asked for.
  for (const id of [...first, ...second]) await show(id)
  return {
    empty: () => answered(admin.get('/server/ping')),
    health: () => answered(admin.get('/server/health')),
    list: () => answered(admin.get(list)),
    compact: () => answered(admin.get(list)),
    one: (run) => answered(admin.get(`/items/photos/${keys[run % keys.length]}`)),
    counts: () => answered(admin.get(months)),
    create: () => answered(admin.post('/items/posts', post())),
    edit: (run) => answered(admin.patch(`/items/posts/${edited}`, { title: `Edit ${run}` })),
    place: (run) => {
      const { name, ...point } = placeOf(run)
      return answered(admin.patch('/items/photos?fields=id', { keys, data: { ...point, place_name: name } }))
    },
    // It cannot shift dates, so both set one.
    date: (run) => answered(admin.patch('/items/photos?fields=id', { keys, data: { date: dateOf(run), date_precision: 'minute' } })),
    upload,
    uploadAndShow: async () => show(await upload()),
    thumbnails: { first: (run) => show(first[run % SCREEN] ?? ''), second: (run) => show(second[run % SCREEN] ?? '') },
    async facts() {
      const counts: { count: string | number }[] = (await answered(admin.get(months))).data
      const bytes = (await admin.get(list)).bytes.length
      return { photos: counts.reduce((sum, { count }) => sum + Number(count), 0), list: bytes, compact: bytes }
    },
  }
}

export async function screen(upload: () => Promise<string>): Promise<string[]> {
  const ids: string[] = []
  while (ids.length < SCREEN) ids.push(await upload())
  return ids
}

export const placeOf = (run: number) => ({ lat: 48.2, lon: 16 + (run % 100) / 100, name: `Place ${run}` })

const dateOf = (run: number) => new Date(Date.UTC(2026, 0, 1 + (run % 300), 12)).toISOString()
