import { describe, expect, test } from 'vitest'
import { newId } from '../../../contract/ids.ts'
import { folder, photo, planned } from '../../../tests/support/plan-import.ts'

describe('Import of a Cairn export', () => {
  const [collection, asset, post, mum] = [newId(), newId(), newId(), newId()]
  const written = {
    author: 'Ada',
    added_by: 'Ada',
    created_at: '2026-05-02T00:00:00Z',
    updated_at: '2026-05-02T00:00:00Z',
    added_at: '2026-05-02T00:00:00Z',
  }
  const when = { date: '2026-05-01T22:30:00+00:00', date_zone: 'Asia/Tokyo', date_precision: 'day' }
  const archive = {
    format: 'cairn-collection',
    version: 1,
    exported_at: '2026-05-03T00:00:00Z',
    collection: { id: collection, name: 'Kyoto', icon: 'train', theme: null, created_at: '2026-05-01T00:00:00Z' },
    members: [{ name: 'Ada', role: 'owner' }],
    people: [{ id: mum, name: 'Mum' }],
    assets: [
      {
        ...{
          id: asset,
          file: 'originals/2026-05-02 a.jpg',
          name: 'a.jpg',
          type: 'image/jpeg',
          size: 4,
          checksum: 'c',
          width: 3,
          height: 2,
        },
        ...{
          duration: null,
          thumbhash: null,
          alt: 'Moss',
          location: { lat: 35, lon: 135, name: 'Kyoto' },
          people: [mum],
          ...when,
          ...written,
        },
      },
    ],
    posts: [
      {
        ...{
          id: post,
          type: 'event',
          kind: 'trip',
          title: 'Trip',
          body: '<p>Rain</p>',
          ends_at: '2026-05-04T22:30:00+00:00',
          location: null,
        },
        ...{ assets: [asset], people: [mum], ...when, ...written },
      },
    ],
  }

  test('All fields, people, photos and the theme are imported', async () => {
    const plan = await planned({ 'collection.json': archive, 'originals/2026-05-02 a.jpg': photo() })
    expect(plan).toMatchObject({
      format: 'cairn',
      title: 'Kyoto',
      collection: { sourceId: collection, name: 'Kyoto', icon: 'train' },
      authors: ['Ada'],
      days: { from: '2026-05-02', to: '2026-05-02' },
      refused: [],
    })
    expect(plan.people).toEqual(new Map([[mum, 'Mum']]))
    expect(plan.assets[0]).toMatchObject({
      name: 'a.jpg',
      type: 'image/jpeg',
      people: [mum],
      overrides: {
        exactly: true,
        date: when.date,
        dateZone: 'Asia/Tokyo',
        datePrecision: 'day',
        alt: 'Moss',
        originalAuthor: 'Ada',
        location: { name: 'Kyoto' },
      },
    })
    expect(plan.posts[0]).toMatchObject({
      sourceId: post,
      people: [mum],
      pictures: [plan.assets[0]],
      fields: {
        type: 'event',
        kind: 'trip',
        title: 'Trip',
        body: '<p>Rain</p>',
        originalAuthor: 'Ada',
        date: when.date,
        dateZone: 'Asia/Tokyo',
        datePrecision: 'day',
        endsAt: '2026-05-04T22:30:00+00:00',
      },
    })
  })

  const settingsOf = async (collection: object, posts: object[] = []) => {
    const { answers, places } =
      (await planned({ 'collection.json': { ...archive, collection: { ...archive.collection, ...collection }, assets: [], posts } }))
        .collection ?? {}
    return { answers, places }
  }

  test('Who may comment and what members see of places come with an archive that says it', async () => {
    expect(await settingsOf({})).toEqual({})
    for (const settings of [
      { answers: 'write', places: 'town' },
      { answers: null, places: 'nothing' },
    ])
      expect(await settingsOf(settings)).toEqual(settings)
    await expect(settingsOf({ places: 'street' })).rejects.toThrow('damaged')
  })

  test('Where nobody may comment any more, admins may after an import of comments, which the importer could not bring otherwise', async () => {
    const posts = archive.posts.map((row) => ({ ...row, comments: [said()] }))
    expect(await settingsOf({ answers: null, places: 'town' }, posts)).toEqual({ answers: 'admin', places: 'town' })
    expect(await settingsOf({ answers: 'read' }, posts)).toEqual({ answers: 'read' })
  })

  const said = (more: object = {}) => ({
    ...{ id: newId(), author: 'Bob', text: 'Lovely', reply_to: null, created_at: written.created_at, edited_at: null, reactions: [] },
    ...more,
  })
  const withAnswers = (onPost: object, onAsset: object = {}) =>
    planned({
      'collection.json': {
        ...archive,
        posts: archive.posts.map((row) => ({ ...row, ...onPost })),
        assets: archive.assets.map((row) => ({ ...row, ...onAsset })),
      },
      'originals/2026-05-02 a.jpg': photo(),
    })

  test('Comments and reactions of posts and photos are imported with names, times, mentions and what they answer', async () => {
    const first = said({ mentions: [mum], edited_at: '2026-05-03T00:00:00Z', unknown: true })
    const answer = said({ author: ' ', text: ' שלום 🏔️ ', reply_to: first.id, reactions: [{ emoji: '👍', who: ['Ada', 'Bob'] }] })
    // The answer may stand before what it answers.
    const { posts, assets, refused, note } = await withAnswers(
      { comments: [answer, first] },
      { reactions: [{ emoji: '🎉', who: ['Ada'] }] },
    )
    expect(posts[0]?.answers).toEqual({
      comments: [
        {
          ...{ id: first.id, originalAuthor: 'Bob', text: 'Lovely', mentions: [mum] },
          ...{ createdAt: written.created_at, editedAt: '2026-05-03T00:00:00Z' },
        },
        { id: answer.id, originalAuthor: 'Unknown', text: 'שלום 🏔️', replyTo: first.id, createdAt: written.created_at },
      ],
      reactions: [
        { originalAuthor: 'Ada', emoji: '👍', commentId: answer.id },
        { originalAuthor: 'Bob', emoji: '👍', commentId: answer.id },
      ],
    })
    expect(assets[0]?.answers).toEqual({ comments: [], reactions: [{ originalAuthor: 'Ada', emoji: '🎉' }] })
    expect([refused, note]).toEqual([[], null])
  })

  test('Comments and reactions that cannot be imported are told one by one, and the others are imported', async () => {
    const good = said()
    const comments = [
      ...[said({ text: 'a'.repeat(2_001) }), said({ text: ' ' }), said({ text: 5 }), said({ created_at: 'long ago' }), 'words', null],
      ...[said({ id: '7' }), good, good, said({ text: 'Fine', reactions: 'none' })],
    ]
    const reactions = [{ emoji: '<b>', who: ['Ada'] }, { emoji: '🎉', who: ['Ada', 'Ada'] }, { emoji: '🎉' }]
    const { posts, assets, refused } = await withAnswers({ comments, reactions }, { comments: 'many' })
    expect(posts[0]?.answers?.comments.map(({ text }) => text)).toEqual(['Lovely', 'Fine'])
    expect(posts[0]?.answers?.reactions).toEqual([{ originalAuthor: 'Ada', emoji: '🎉' }])
    expect(assets[0]?.answers).toBeUndefined()
    expect(refused).toEqual([
      { name: 'Comments on “a.jpg”', reason: 'They are damaged' },
      { name: 'Comment by Bob on “Trip”', reason: 'A comment may have at most 2000 characters' },
      { name: 'Comment by Bob on “Trip”', reason: 'It has no text' },
      { name: 'A comment on “Trip”', reason: 'It is damaged' },
      { name: 'Comment by Bob on “Trip”', reason: 'It does not say when it was written' },
      ...Array(3).fill({ name: 'A comment on “Trip”', reason: 'It is damaged' }),
      { name: 'Comment by Bob on “Trip”', reason: 'Another comment has the same id' },
      { name: 'Reactions on “Trip”', reason: 'They are damaged' },
      { name: 'A reaction on “Trip”', reason: 'It is not an emoji' },
      { name: '🎉 by Ada on “Trip”', reason: 'Somebody of the same name has the same reaction' },
      { name: 'A reaction on “Trip”', reason: 'It is damaged' },
    ])
  })

  test('Comments that answer a missing one, themselves or each other in a circle stand on their own, which is told', async () => {
    const [a, b] = [newId(), newId()]
    const self = newId()
    const comments = [
      said({ reply_to: newId(), text: 'missing' }),
      said({ id: self, reply_to: self, text: 'self' }),
      said({ id: a, reply_to: b, text: 'a' }),
      said({ id: b, reply_to: a, text: 'b' }),
    ]
    const { posts, note } = await withAnswers({ comments })
    expect(posts[0]?.answers?.comments.map(({ text, replyTo }) => [text, replyTo])).toEqual([
      ['missing', undefined],
      ['self', undefined],
      ['b', undefined],
      ['a', b],
    ])
    expect(note).toBe('3 comments answer others that are not in this archive. They will stand on their own.')
  })

  test('Comments on a file that is not in the archive are told with it', async () => {
    const assets = archive.assets.map((row) => ({ ...row, comments: [said(), said()] }))
    const { refused } = await planned({ 'collection.json': { ...archive, assets } })
    expect(refused).toEqual([{ name: 'a.jpg', reason: 'Its file is not in the archive, so 2 comments are left out with it' }])
  })

  test('An export in the folder it was unpacked into is found, and missing files are reported', async () => {
    const plan = await folder({ 'Kyoto/collection.json': JSON.stringify(archive), 'Kyoto/index.html': 'x' })
    expect(plan).toMatchObject({ format: 'cairn', assets: [], refused: [{ name: 'a.jpg', reason: 'Its file is not in the archive' }] })
    expect(plan.posts[0]?.pictures).toEqual([])
  })

  test('Each export has its own files, and a second one beside it is told', async () => {
    const other = { ...archive, collection: { ...archive.collection, id: newId(), name: 'Nara' } }
    const original = 'originals/2026-05-02 a.jpg'
    const plan = await planned(
      { 'collection.json': archive, [original]: photo('ours') },
      { 'collection.json': other, [original]: photo('theirs'), 'index.html': 'x' },
    )
    expect(plan).toMatchObject({ title: 'Kyoto', collection: { sourceId: collection } })
    expect(await Promise.all(plan.assets.map(async ({ file }) => (await file.open()).text()))).toEqual(['ours'])
    const reason = 'It is another export of Cairn. Import it by itself'
    expect(plan.refused).toEqual([{ name: 'part-2.zip', reason }])
    const unpacked = await folder({
      'all/Kyoto/collection.json': JSON.stringify(archive),
      [`all/Kyoto/${original}`]: 'ours',
      'all/Nara, 2019/collection.json': JSON.stringify(other),
      [`all/Nara, 2019/${original}`]: 'theirs',
    })
    expect([unpacked.title, unpacked.assets.length, unpacked.refused]).toEqual(['Kyoto', 1, [{ name: 'Nara, 2019', reason }]])
  })

  test('A file collection.json of another program, or among the originals, changes nothing', async () => {
    const original = archive.assets.map((row) => ({ ...row, file: 'originals/collection.json', name: 'collection.json' }))
    const plan = await folder({
      'x/collection.json': '{"cards":[]}',
      'x/Kyoto/collection.json': JSON.stringify({ ...archive, assets: original }),
      'x/Kyoto/originals/collection.json': JSON.stringify(archive),
    })
    expect(plan).toMatchObject({ format: 'cairn', title: 'Kyoto', refused: [] })
    expect(plan.assets.map(({ file }) => file.path)).toContain('x/Kyoto/originals/collection.json')
  })

  test('A newer or damaged export is refused with the reason', async () => {
    await expect(planned({ 'collection.json': { ...archive, version: 2 } })).rejects.toThrow('newer version')
    await expect(planned({ 'collection.json': { ...archive, posts: [{ title: 5 }] } })).rejects.toThrow('damaged')
  })
})
