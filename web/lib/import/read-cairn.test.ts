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

  test('The number of comments, which are not imported, is told', async () => {
    const said = { id: mum, author: 'Bob', text: 'Lovely', reply_to: null, created_at: written.created_at, edited_at: null, reactions: [] }
    const noteOf = async (comments: object[], onPost: object[] = []) => {
      const posts = archive.posts.map((row) => ({ ...row, comments: onPost }))
      const assets = archive.assets.map((row) => ({ ...row, comments }))
      return (await planned({ 'collection.json': { ...archive, posts, assets } })).note
    }
    expect(await noteOf([])).toBeNull()
    expect(await noteOf([said])).toBe('1 comment in this archive is not imported.')
    expect(await noteOf([said], [said, said])).toBe('3 comments in this archive are not imported.')
  })

  test('An export in the folder it was unpacked into is found, and missing files are reported', async () => {
    const plan = await folder({ 'Kyoto/collection.json': JSON.stringify(archive), 'Kyoto/index.html': 'x' })
    expect(plan).toMatchObject({ format: 'cairn', assets: [], refused: [{ name: 'a.jpg', reason: 'Its file is not in the archive' }] })
    expect(plan.posts[0]?.pictures).toEqual([])
  })

  test('A newer or damaged export is refused with the reason', async () => {
    await expect(planned({ 'collection.json': { ...archive, version: 2 } })).rejects.toThrow('newer version')
    await expect(planned({ 'collection.json': { ...archive, posts: [{ title: 5 }] } })).rejects.toThrow('damaged')
  })
})
