import { createHash } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import path from 'node:path'
import sharp from 'sharp'
import { rgbaToThumbHash } from 'thumbhash'
import { RENDITIONS } from '../contract/limits.ts'
import pictures from './demo/pictures.json' with { type: 'json' }
import posts from './demo/posts.json' with { type: 'json' }
import story from './demo/story.json' with { type: 'json' }
import { type Answer, Client } from './http-client.ts'
import { SetupError } from './setup-error.ts'
import type { Stack } from './stack.ts'
import { PROJECT } from './state-folder.ts'

type Picture = (typeof pictures)[number]
type Collection = (typeof story.collections)[number]
/** Signed-in users, and the ids that the app gave to names in the story. */
interface Cast {
  clients: Map<string, Client>
  collections: Map<string, string>
  /** `collection key / name` → person id. */
  people: Map<string, string>
  assets: Map<string, string>
}

/** Adds the demo: three users, their collections, photos and posts, all through the app's own API. Does nothing if the demo exists. */
export async function seedDemo(stack: Stack): Promise<void> {
  const clients = new Map<string, Client>()
  for (const user of story.users) {
    const client = new Client(stack.origin)
    const { status } = await client.post('/api/auth/sign-in', { email: user.email, password: story.password })
    if (status === 200) return expectComplete(client)
    const { key: _, ...names } = user
    expect(await client.post('/api/auth/sign-up', { ...names, password: story.password }))
    await confirmAddress(stack, client, user.email)
    clients.set(user.key, client)
  }
  const cast: Cast = { clients, collections: new Map(), people: new Map(), assets: new Map() }
  for (const collection of story.collections) await addCollection(cast, collection)
  await inParallel(2, pictures, (picture) => addPicture(cast, picture))
  for (const post of posts) await addPost(cast, post)
}

/** An earlier run may have been interrupted. */
async function expectComplete(anyone: Client): Promise<void> {
  const { body } = expect(await anyone.get('/api/collections'))
  const counted = (body.collections as { name: string; post_count: number }[]).find(({ name }) => name === story.collections[0]?.name)
  const wanted = posts.filter(({ collections }) => collections.includes(story.collections[0]?.key ?? '')).length
  if ((counted?.post_count ?? 0) < wanted) {
    throw new SetupError('An earlier demo was left unfinished. "npm start -- --reset --demo" begins it anew.')
  }
}

/** The mail is sent after the answer to the registration. */
async function confirmAddress(stack: Stack, client: Client, email: string, attempts = 100): Promise<void> {
  const link = (await stack.mailCatcher.list(email)).find((mail) => mail.link?.includes('/verify-email'))?.link
  if (link) {
    expect(await client.post('/api/auth/verify-email', { token: new URL(link).searchParams.get('token') }))
    return
  }
  if (attempts === 0) throw new Error(`No mail asked ${email} to confirm the address`)
  await new Promise((resolve) => setTimeout(resolve, 100))
  await confirmAddress(stack, client, email, attempts - 1)
}

function as(cast: Cast, key: string): Client {
  const client = cast.clients.get(key)
  if (!client) throw new Error(`The demo knows nobody called ${key}`)
  return client
}

function emailOf(key: string): string {
  return story.users.find((user) => user.key === key)?.email ?? ''
}

async function addCollection(cast: Cast, { key, name, icon, theme, members, people, invites }: Collection): Promise<void> {
  const ownerKey = members.find(({ role }) => role === 'owner')?.user ?? ''
  const owner = as(cast, ownerKey)
  const made = expect(await owner.post('/api/collections', { name, icon, theme }))
  const id: string = made.body.collection.id
  const base = `/api/collections/${id}`
  cast.collections.set(key, id)
  for (const { user, role } of members.filter(({ role }) => role !== 'owner')) {
    expect(await owner.post(`${base}/invites/invite`, { email: emailOf(user), role }))
    expect(await as(cast, user).post(`${base}/invites/accept`))
  }
  const { body } = expect(await owner.get(`${base}/members`))
  const idOf = (user: string) => body.members.find((member: { email: string }) => member.email === emailOf(user))?.user_id
  for (const person of people) {
    const added = expect(await owner.post(`${base}/people`, { name: person.name }))
    const personId: string = added.body.person.id
    cast.people.set(`${key}/${person.name}`, personId)
    if (person.user) expect(await owner.put(`${base}/people/${personId}`, { userId: idOf(person.user) }))
  }
  for (const { email, role, by, person } of invites) {
    const personId = person ? cast.people.get(`${key}/${person}`) : undefined
    expect(await as(cast, by).post(`${base}/invites/invite`, { email, role, ...(personId && { personId }) }))
  }
}

function peopleIds(cast: Cast, item: { people: string[]; collections: string[] }): string[] {
  return item.collections.flatMap((key) => item.people.map((name) => cast.people.get(`${key}/${name}`) ?? [])).flat()
}

function collectionIds(cast: Cast, keys: string[]): string[] {
  return keys.map((key) => cast.collections.get(key) ?? key)
}

async function addPicture(cast: Cast, picture: Picture): Promise<void> {
  const client = as(cast, picture.by)
  const bytes = await readFile(path.join(PROJECT, 'dev/demo/pictures', picture.file))
  const { width, height } = await sharp(bytes).metadata()
  const started = expect(
    await client.post('/api/asset', {
      name: picture.file,
      type: 'image/jpeg',
      size: bytes.length,
      checksum: createHash('sha256').update(bytes).digest('hex'),
      width,
      height,
      thumbhash: await thumbhash(bytes),
      alt: picture.alt,
      date: picture.date,
      dateZone: picture.zone,
      datePrecision: picture.precision,
      location: picture.location,
      peopleIds: peopleIds(cast, picture),
      collectionIds: collectionIds(cast, picture.collections),
    }),
  )
  const base = `/api/asset/${started.body.asset.id}`
  expect(await client.put(`${base}/parts/1`, bytes))
  for (const [name, size] of Object.entries(RENDITIONS)) {
    const rendition = await sharp(bytes)
      .resize(size, size, { fit: 'inside', withoutEnlargement: true })
      .webp({ quality: 80, effort: 2 })
      .toBuffer()
    expect(await client.put(`${base}/renditions/${name}`, rendition, { type: 'image/webp' }))
  }
  expect(await client.post(`${base}/complete`))
  cast.assets.set(picture.file, started.body.asset.id)
}

/** Base64 of a thumbhash, from at most 100×100 pixels. */
async function thumbhash(bytes: Buffer): Promise<string> {
  const { data, info } = await sharp(bytes).resize(100, 100, { fit: 'inside' }).ensureAlpha().raw().toBuffer({ resolveWithObject: true })
  return Buffer.from(rgbaToThumbHash(info.width, info.height, data)).toString('base64')
}

async function addPost(cast: Cast, post: (typeof posts)[number]): Promise<void> {
  const { title, type, kind, body, date, location } = post
  expect(
    await as(cast, post.by).post('/api/post', {
      title,
      type,
      kind,
      body,
      date,
      dateZone: post.zone,
      datePrecision: post.precision,
      endsAt: post.endsAt,
      location,
      peopleIds: peopleIds(cast, post),
      existingAssetIds: post.pictures.map((file) => cast.assets.get(file) ?? file),
      collectionIds: collectionIds(cast, post.collections),
    }),
  )
}

function expect(answer: Answer): Answer {
  if (answer.status >= 300) throw new Error(`The demo could not be made: ${answer.status} ${JSON.stringify(answer.body)}`)
  return answer
}

/** Runs at most `width` at a time, in order. */
async function inParallel<T>(width: number, items: T[], work: (item: T) => Promise<void>): Promise<void> {
  const queue = items.values()
  await Promise.all(
    Array.from({ length: width }, async () => {
      for (const item of queue) await work(item)
    }),
  )
}
