import { describe, expect, test } from 'vitest'
import { NO_DATE_SETTINGS } from '../../../contract/date-format.ts'
import { newId } from '../../../contract/ids.ts'
import { setReader } from '../dates/reader-settings.ts'
import type { NewFile } from '../uploads/items.ts'
import type { AlreadyHere } from './already-here.ts'
import { notesOf } from './chat-day.ts'
import { createHandover, type HandoverDeps } from './handover.ts'
import { importedId, sourceIn } from './imported-id.ts'
import { type PlannedAsset, type PlannedPost, UnreadableError } from './types.ts'
import { type Waiting, type WaitingPost, waitingId } from './waiting.ts'

setReader({ ...NO_DATE_SETTINGS, region: 'GB', timeZone: 'Europe/Vienna' })

const collectionId = newId()

const hereWith = (more: Partial<AlreadyHere> = {}): AlreadyHere => ({
  ...{ posts: new Set(), assets: new Map(), notes: new Map(), trashed: new Set(), bySource: new Map() },
  ...more,
})

function stage(more: Partial<HandoverDeps> = {}) {
  const log: (string | { files: string[] } | { posts: string[] })[] = []
  const newFiles: NewFile[] = []
  const posts: WaitingPost[] = []
  const groups: Waiting[] = []
  const handover = createHandover({
    collectionId,
    scope: ['ada', collectionId],
    here: hereWith(),
    peopleOf: (keys) => keys.map((key) => `id of ${key}`),
    async add(files, more) {
      log.push({ files: files.map(({ name }) => name) })
      newFiles.push(...more)
    },
    async keep(more) {
      log.push({ posts: more.map((one) => ('post' in one ? one.post.title : 'groupId' in one ? 'a group' : 'comments')) })
      for (const one of more) 'post' in one ? posts.push(one) : groups.push(one)
    },
    ...more,
  })
  return { handover, log, newFiles, posts, groups }
}

const asset = (name: string, more: Partial<PlannedAsset> = {}): PlannedAsset => ({
  ...{ name, people: [] },
  file: { path: name, size: 1, modified: 5, open: async () => new Blob([name]) },
  ...more,
})
const post = (title: string, pictures: PlannedAsset[] = [], more: Partial<PlannedPost> = {}): PlannedPost => ({
  ...{ key: title, fields: { type: 'note', title }, pictures, people: [] },
  ...more,
})

describe('Import handover', () => {
  test('A group is handed over after its parts, the cover first, unless all of them are here', async () => {
    const checksum = 'f'.repeat(64)
    const here = hereWith({ assets: new Map([[checksum, 'known']]) })
    const { handover, log, newFiles, groups } = stage({ here })
    const [a, b, c] = [asset('a.mov'), asset('b.jpg'), asset('c.jpg', { checksum })]
    for (const one of [a, b, c]) await handover.hand(one)
    await handover.group({ cover: b, parts: [a, b, c] })
    await handover.group({ cover: c, parts: [c, asset('d.jpg', { checksum })] })
    await handover.flush()
    expect(log).toEqual([{ files: ['a.mov', 'b.jpg'] }, { posts: ['a group'] }])
    expect(groups).toEqual([{ collectionId, groupId: groups.map(waitingId)[0], pictures: [newFiles[1]?.id, newFiles[0]?.id, 'known'] }])
  })

  test('The files of a post are handed over before it, each once, with their overrides', async () => {
    const { handover, log, newFiles, posts } = stage()
    const overrides = { exactly: true, date: null, dateZone: null, datePrecision: 'unknown' as const, location: null, alt: 'Moss' }
    const [a, b] = [asset('a.jpg', { overrides, people: ['mum'] }), asset('b.jpg')]
    await handover.post(post('First', [b, a]))
    await handover.post(post('Second', [a], { people: ['dad'] }))
    await handover.hand(a)
    await handover.flush()
    expect(log).toEqual([{ files: ['b.jpg', 'a.jpg'] }, { posts: ['First', 'Second'] }])
    expect(newFiles[1]?.overrides).toEqual({ ...overrides, peopleIds: ['id of mum'] })
    expect(posts.map(({ pictures }) => pictures)).toEqual([[newFiles[0]?.id, newFiles[1]?.id], [newFiles[1]?.id]])
    expect(posts[1]?.post).toMatchObject({ peopleIds: ['id of dad'], collectionIds: [collectionId] })
    expect(handover.report).toEqual({ posts: 2, files: 2, comments: 0, here: 0, failed: [] })
  })

  test('Many files are handed over in batches, no post before its assets', async () => {
    const { handover, log } = stage()
    for (let i = 0; i < 30; i++) await handover.post(post(`${i}`, [asset(`${i}a`), asset(`${i}b`), asset(`${i}c`)]))
    await handover.flush()
    const seen = new Set<string>()
    for (const one of log) {
      if (typeof one === 'string') continue
      if ('files' in one) for (const name of one.files) seen.add(name)
      else for (const title of one.posts) expect(seen.has(`${title}c`)).toBe(true)
    }
    expect(seen.size).toBe(90)
    expect(log.length).toBeGreaterThan(3)
  })

  test('An unreadable file is reported, and the others are handed over', async () => {
    const { handover, posts } = stage()
    const broken = (error: Error) => ({ path: 'x', size: 1, modified: null, open: () => Promise.reject(error) })
    await handover.post(
      post('P', [
        asset('torn.jpg', { file: broken(new UnreadableError('The archive is damaged here')) }),
        asset('gone.jpg', { file: broken(new Error('NotFound')) }),
        asset('good.jpg'),
      ]),
    )
    await handover.flush()
    expect(handover.report.failed).toEqual([
      { name: 'torn.jpg', reason: 'The archive is damaged here' },
      { name: 'gone.jpg', reason: 'It could not be read. Is the file still where it was?' },
    ])
    expect(posts[0]?.pictures).toHaveLength(1)
  })

  test('Existing posts are skipped, and existing files are used', async () => {
    const source = newId()
    const { handover, posts, log } = stage({
      here: hereWith({ posts: new Set([source]), assets: new Map([['sum', 'asset']]) }),
    })
    await handover.post(post('There', [], { sourceId: source }))
    await handover.post(post('New', [asset('a.jpg', { checksum: 'sum' })]))
    await handover.flush()
    expect(log).toEqual([{ posts: ['New'] }])
    expect(posts[0]?.pictures).toEqual(['asset'])
    expect(handover.report).toMatchObject({ posts: 1, files: 0, here: 2 })
  })

  test('Comments are handed over after their item, unless it is here already or the user may not comment', async () => {
    const source = newId()
    const said = { id: newId(), originalAuthor: 'Bob', text: 'Hi @Mum', mentions: ['mum'], createdAt: '2019-05-01T10:00:00Z' }
    const answers = { comments: [said], reactions: [{ originalAuthor: 'Bob', emoji: '🎉' }] }
    const here = hereWith({ posts: new Set([source]), assets: new Map([['sum', 'asset']]) })
    const give = async (more: Partial<HandoverDeps>) => {
      const { handover, newFiles, posts, groups } = stage({ here, ...more })
      await handover.post(post('There', [], { sourceId: source, answers }))
      await handover.post(post('New', [], { answers }))
      await handover.hand(asset('a.jpg', { checksum: 'sum', answers }))
      await handover.hand(asset('b.jpg', { answers }))
      await handover.flush()
      return { report: handover.report, newFiles, posts, waiting: groups }
    }
    const { report, newFiles, posts, waiting } = await give({})
    const given = { ...answers, comments: [{ ...said, mentions: ['id of mum'] }] }
    expect(waiting).toEqual([
      { collectionId, title: 'New', postId: posts[0]?.post.id, pictures: [], answers: given },
      { collectionId, title: 'b.jpg', pictures: [newFiles[0]?.id], answers: given },
    ])
    expect(report).toMatchObject({ posts: 1, files: 1, comments: 2, here: 2, failed: [] })
    const refused = await give({ whyNoAnswers: 'You may not' })
    expect(refused.waiting).toEqual([])
    expect(refused.report.failed).toEqual(
      ['New', 'b.jpg'].map((name) => ({ name: `1 comment, 1 reaction on “${name}”`, reason: 'You may not' })),
    )
  })

  test('A post of an earlier import counts as here with its comments, and still gets the photos that it lacks', async () => {
    const said = { id: newId(), originalAuthor: 'Bob', text: 'Hi', createdAt: '2019-05-01T10:00:00Z' }
    const known = post('P', [asset('a.jpg')], { answers: { comments: [said], reactions: [] } })
    const again = async (bySource: AlreadyHere['bySource']) => {
      const { handover, posts, groups } = stage({ here: hereWith({ bySource }) })
      await handover.post(known)
      await handover.flush()
      return { report: handover.report, id: posts[0]?.post.id ?? '', pictures: posts[0]?.pictures.length, said: groups.length }
    }
    const first = await again(new Map())
    expect(first.report).toMatchObject({ posts: 1, comments: 1, here: 0 })
    const second = await again(new Map([[sourceIn(first.id), first.id]]))
    expect(second).toMatchObject({ id: first.id, pictures: 1, said: 1, report: { posts: 0, comments: 0, here: 1 } })
  })

  test('A post gets the same id on each import, and another one if that is in the trash', async () => {
    const idAfter = async (trashed: string[]) => {
      const { handover, posts } = stage({ here: hereWith({ trashed: new Set(trashed) }) })
      await handover.post(post('P'))
      await handover.flush()
      return posts[0]?.post.id ?? ''
    }
    const first = await idAfter([])
    expect(await idAfter([])).toBe(first)
    expect(await idAfter([first])).not.toBe(first)
  })
})

test('Ids of imported posts are UUIDs of version 7 of their date, and differ between sources', async () => {
  const date = '2024-05-01T10:00:00Z'
  const id = await importedId(['a', 'b'], date)
  expect(id).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/)
  expect(Number.parseInt(id.replaceAll('-', '').slice(0, 12), 16)).toBe(Date.parse(date))
  expect(new Set([id, await importedId(['a', 'b'], date), await importedId(['a,b'], date), await importedId(['a', 'b'], null)]).size).toBe(
    3,
  )
  expect(await importedId(['a'], '1850-01-01T00:00:00Z')).toMatch(/^00000000-0000-7/)
})

describe('Handover of a chat', () => {
  const said = (...texts: string[]) =>
    texts.map((text) => ({ wall: '2024-05-03T14:20:00', html: `<p><strong>Ann</strong>: ${text}</p>`, pictures: [] }))
  const dayOf = (...texts: string[]) => ({
    key: 'whatsapp Family 2024-05-03',
    day: '2024-05-03',
    title: 'Family',
    messages: said(...texts),
  })

  /** Imports a day into a collection that has these notes; returns the notes that it makes, and what the collection has then. */
  async function imported(texts: string[], notes = new Map<string, { body: string; version: number }>(), trashed: string[] = []) {
    const { handover, posts } = stage({ here: hereWith({ notes, trashed: new Set(trashed) }) })
    for (const note of notesOf(dayOf(...texts))) await handover.post(note)
    await handover.flush()
    const made = posts.map(({ post }) => ({ id: post.id ?? '', title: post.title, body: post.body ?? '' }))
    return { made, report: handover.report, notes: new Map([...notes, ...made.map(({ id, body }) => [id, { body, version: 1 }] as const)]) }
  }
  const edited = (notes: ReadonlyMap<string, { body: string; version: number }>, edit: (body: string) => string) =>
    new Map([...notes].map(([id, { body }]) => [id, { body: edit(body), version: 2 }]))

  test('A later export adds the rest of the day as a further note, as often as it grows, and nothing twice', async () => {
    const first = await imported(['Tea &amp; cake', 'ok'])
    expect(first.made).toMatchObject([{ title: 'Family, 3 May 2024' }])
    expect(await imported(['Tea &amp; cake', 'ok'], first.notes)).toMatchObject({ made: [], report: { posts: 0, here: 1 } })
    const second = await imported(['Tea &amp; cake', 'ok', 'Leaving', 'ok'], first.notes)
    expect(second.made).toMatchObject([
      { title: 'Family (continued), 3 May 2024', body: `${said('Leaving')[0]?.html}${said('ok')[0]?.html}` },
    ])
    const third = await imported(['Tea &amp; cake', 'ok', 'Leaving', 'ok', 'Home'], second.notes)
    expect(third.made.map(({ body }) => body)).toEqual(said('Home').map(({ html }) => html))
    expect(third.notes.size).toBe(3)
    expect((await imported(['Tea &amp; cake', 'ok', 'Leaving', 'ok', 'Home'], third.notes)).made).toEqual([])
  })

  test('An earlier beginning is added too, and one that is cut off changes nothing', async () => {
    const { notes } = await imported(['Noon', 'Evening'])
    expect((await imported(['Morning', 'Noon', 'Evening'], notes)).made.map(({ body }) => body)).toEqual(
      said('Morning').map(({ html }) => html),
    )
    expect((await imported(['Evening'], notes)).made).toEqual([])
  })

  test('What was removed from a note stays away, and later messages are added', async () => {
    const { notes } = await imported(['One', 'Secret', 'Three'])
    const without = edited(notes, (body) => body.replace(said('Secret')[0]?.html ?? '', '').replace(/<\/?strong>/g, ''))
    expect((await imported(['One', 'Secret', 'Three', 'Four'], without)).made.map(({ body }) => body)).toEqual(
      said('Four').map(({ html }) => html),
    )
  })

  test('A note in the trash is made again under another id', async () => {
    const [before] = (await imported(['One'])).made
    const [after] = (await imported(['One'], new Map(), [before?.id ?? ''])).made
    expect(after).toMatchObject({ title: 'Family, 3 May 2024' })
    expect(after?.id).not.toBe(before?.id)
  })
})
