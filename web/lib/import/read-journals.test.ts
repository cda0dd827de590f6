import { describe, expect, test } from 'vitest'
import { NO_DATE_SETTINGS } from '../../../contract/date-format.ts'
import { LIMITS } from '../../../contract/limits.ts'
import { zipOf } from '../../../tests/support/archives.ts'
import { photo, planned, options as planOptions } from '../../../tests/support/plan-import.ts'
import { setReader } from '../dates/reader-settings.ts'
import { planImport } from './plan.ts'

setReader({ ...NO_DATE_SETTINGS, region: 'GB', timeZone: 'Europe/Vienna' })

describe('Import of Journey', () => {
  const NONE = 1.7976931348623157e308
  const entry = (id: string, more: object = {}) => ({
    ...{ id, date_journal: Date.UTC(2024, 4, 3, 12, 20), timezone: 'Asia/Tokyo', type: '', text: 'Words', preview_text: 'Words' },
    ...{ address: '', lat: NONE, lon: NONE, mood: 0, photos: [], tags: [], weather: { id: -1, degree_c: NONE } },
    ...more,
  })

  test('Each entry becomes a note with its day, place, tags and media', async () => {
    const html = '<p>At the shrine</p><p>Moss &amp; <strong>rain</strong></p>'
    const place = { lat: 34.97, lon: 135.77, address: 'Kyoto' }
    const plan = await planned({
      '1714-aa.json': entry('1714-aa', { type: 'html', text: html, ...place, photos: ['1714-aa-1.jpg', 'gone.jpg'], tags: ['trip', null] }),
      '1714-aa-1.jpg': photo(),
      '1714-bb.json': entry('1714-bb', { text: '# Heading\n\n- tea', timezone: null, photos: null, address: null, lat: 'x' }),
      '1714-cc.json': { id: '1714-cc', date_journal: null, text: 'No date' },
      'other.jpg': photo('b'),
      'broken.json': '{',
    })
    const when = { date: '2024-05-03T12:20:00.000Z', dateZone: 'Asia/Tokyo', datePrecision: 'minute' }
    const location = { lat: 34.97, lon: 135.77, name: 'Kyoto' }
    expect(plan).toMatchObject({ format: 'journey', title: 'Journey', days: { from: '2024-05-03', to: '2024-05-03' } })
    expect(plan.posts.map(({ fields }) => fields)).toMatchObject([
      {
        type: 'note',
        kind: 'journal',
        title: 'At the shrine',
        body: '<p>Moss &amp; <strong>rain</strong></p><p>#trip</p>',
        ...when,
        location,
      },
      { title: 'Heading', body: expect.stringContaining('<li>tea</li>'), dateZone: null, location: null },
      { title: 'No date', date: null, datePrecision: 'unknown' },
    ])
    expect(plan.posts[0]?.pictures).toEqual([plan.assets[0]])
    expect(plan.assets.map(({ name, overrides }) => [name, overrides?.date, overrides?.onlyMissing])).toEqual([
      ['1714-aa-1.jpg', when.date, true],
      ['other.jpg', undefined, undefined],
    ])
    expect(plan.refused.map(({ name }) => name)).toEqual(['gone.jpg', 'broken.json'])
  })
})

describe('Import of Polarsteps', () => {
  const step = {
    ...{
      id: 11,
      name: null,
      display_name: 'Kyoto',
      description: 'Moss\n\nand <rain>',
      start_time: 1_714_738_800.5,
      timezone_id: 'Asia/Tokyo',
    },
    ...{
      location: { name: 'Kyoto', detail: 'Japan', lat: 35.01, lon: 135.77 },
      is_deleted: false,
      weather_temperature: null,
      slug: 'kyoto',
    },
  }
  const trip = {
    ...{ id: 7, name: 'Japan', summary: 'Two weeks', start_date: 1_714_521_600, end_date: 1_715_644_800, timezone_id: 'Asia/Tokyo' },
    all_steps: [
      step,
      { ...step, id: 12, name: 'Nara', location: null, start_time: null, description: null },
      { ...step, id: 13, is_deleted: true },
      null,
    ],
  }

  test('A trip becomes an event, and each step a note with its photos and films', async () => {
    const plan = await planned({
      'user/user.json': { username: 'ada' },
      'trip/japan_7/trip.json': trip,
      'trip/japan_7/locations.json': { locations: [{ lat: 35, lon: 135, time: 1 }] },
      'trip/japan_7/kyoto_11/photos/a.jpg': photo('a'),
      'trip/japan_7/kyoto_11/videos/b.mp4': photo('b'),
      'trip/japan_7/nara_12/photos/c.jpg': photo('c'),
      'trip/japan_7/uji_13/photos/d.jpg': photo('d'),
    })
    expect(plan).toMatchObject({ format: 'polarsteps', title: 'Japan', refused: [], days: { from: '2024-05-01', to: '2024-05-03' } })
    expect(plan.posts.map(({ fields, pictures }) => [fields, pictures.map(({ name }) => name)])).toMatchObject([
      [
        { type: 'event', kind: 'trip', title: 'Japan', body: '<p>Two weeks</p>', datePrecision: 'day', endsAt: '2024-05-14T00:00:00.000Z' },
        [],
      ],
      [
        {
          ...{
            type: 'note',
            title: 'Kyoto',
            body: '<p>Moss</p><p>and &lt;rain&gt;</p>',
            date: '2024-05-03T12:20:00.500Z',
            dateZone: 'Asia/Tokyo',
          },
          ...{ datePrecision: 'minute', location: { lat: 35.01, lon: 135.77, name: 'Kyoto, Japan' } },
        },
        ['a.jpg', 'b.mp4'],
      ],
      [{ title: 'Nara', body: '', date: null, datePrecision: 'unknown', location: null }, ['c.jpg']],
    ])
    // The photos of a deleted step are still theirs.
    expect(plan.assets.map(({ name, overrides }) => [name, overrides?.datePrecision])).toEqual([
      ['a.jpg', 'day'],
      ['b.mp4', 'day'],
      ['c.jpg', 'unknown'],
      ['d.jpg', undefined],
    ])
    expect(plan.assets[0]?.overrides).toMatchObject({ onlyMissing: true, location: { name: 'Kyoto, Japan' } })
  })

  test('A step and its photos are on the same day where only the trip has a zone', async () => {
    // In Tokyo, it is the next day.
    const evening = { ...step, start_time: Date.UTC(2024, 4, 3, 20) / 1000, timezone_id: null }
    const plan = await planned({
      'trip/japan_7/trip.json': { ...trip, start_date: null, end_date: null, all_steps: [evening] },
      'trip/japan_7/kyoto_11/photos/a.jpg': photo('a'),
    })
    const when = { date: '2024-05-03T20:00:00.000Z', dateZone: 'Asia/Tokyo' }
    expect([plan.posts[0]?.fields, plan.assets[0]?.overrides]).toMatchObject([when, when])
    expect(plan.days).toEqual({ from: '2024-05-04', to: '2024-05-04' })
  })
})

describe('Import of a WhatsApp chat', () => {
  test('The messages of a day become a note with who wrote them, and with the files they sent', async () => {
    const plan = await planned({
      '_chat.txt': [
        '[03.05.24, 14:20:05] Family: \u200eMessages and calls are end-to-end encrypted.',
        '[03.05.24, 14:20:05] Ann: We are there <3',
        'at last',
        '\u200e[03.05.24, 14:21:00] Tom: \u200e<Anhang: 00000012-PHOTO-2024-05-03-14-21-00.jpg>',
        '\u200e[03.05.24, 14:22:00] Tom: The moss \u200e<Anhang: gone.jpg>',
        '[04.05.24, 00:10:00] Ann: Good night',
      ].join('\r\n'),
      '00000012-PHOTO-2024-05-03-14-21-00.jpg': photo(),
      'unsent.pdf': photo('b'),
    })
    expect(plan).toMatchObject({ format: 'whatsapp', title: 'part-1', days: { from: '2024-05-03', to: '2024-05-04' } })
    expect(plan.posts.map(({ fields }) => fields)).toEqual([
      {
        ...{ type: 'note', kind: 'journal', title: 'part-1, 3 May 2024', date: '2024-05-03T14:20:05+02:00', dateZone: 'Europe/Vienna' },
        ...{ datePrecision: 'day', location: null },
        body: '<p><strong>Ann</strong>: We are there &lt;3<br>at last</p><p><strong>Tom</strong>: 📎 00000012-PHOTO-2024-05-03-14-21-00.jpg</p><p><strong>Tom</strong>: The moss</p>',
      },
      expect.objectContaining({ title: 'part-1, 4 May 2024', body: '<p><strong>Ann</strong>: Good night</p>' }),
    ])
    expect(plan.posts[0]?.pictures).toEqual([plan.assets[0]])
    expect(plan.assets[0]?.overrides).toMatchObject({ onlyMissing: true, date: '2024-05-03T14:21:00+02:00', datePrecision: 'minute' })
    expect(plan.assets.map(({ name }) => name)).toEqual(['00000012-PHOTO-2024-05-03-14-21-00.jpg', 'unsent.pdf'])
    expect(plan.refused).toEqual([{ name: 'gone.jpg', reason: 'Its file is not in the export' }])
  })

  test('A chat of Android is read, and a second export of it has the same posts', async () => {
    const chat = '5/3/24, 2:20\u202fPM - Ann: IMG-20240503-WA0001.jpg (file attached)\nThe moss'
    const plan = (text: string) => planned({ 'WhatsApp Chat with Ann.txt': text, 'IMG-20240503-WA0001.jpg': photo() })
    const first = await plan(chat)
    expect(first.posts[0]?.fields).toMatchObject({
      title: 'WhatsApp Chat with Ann, 3 May 2024',
      body: '<p><strong>Ann</strong>: The moss</p>',
    })
    expect(first.posts[0]?.pictures).toHaveLength(1)
    const second = await plan(`${chat}\n5/20/24, 2:20\u202fPM - Ann: Later`)
    expect(second.posts.map(({ key }) => key)[0]).toBe(first.posts[0]?.key)
  })

  test('A chat is known by its name, whatever its first message and however often its export was saved', async () => {
    const line = '[03.05.24, 14:20:05] Ann: hi'
    const keysOf = async (given: [path: string, name: string, file: Uint8Array][]) =>
      (
        await planImport(
          given.map(([path, name, file]) => ({ path, file: new File([new Uint8Array(file)], name) })),
          planOptions,
        )
      ).posts.map(({ key }) => key)
    const zip = (text: string) => zipOf({ '_chat.txt': text })
    const key = 'whatsapp WhatsApp Chat - Family 2024-05-03'
    const zipped = (name: string, text = line) => [name, name, zip(text)] as [string, string, Uint8Array]
    expect(await keysOf([zipped('WhatsApp Chat - Family.zip')])).toEqual([key])
    expect(await keysOf([zipped('WhatsApp Chat - Family (1).zip', `[03.05.24, 09:00:00] Tom: Up\n${line}`)])).toEqual([key])
    expect(await keysOf([['WhatsApp Chat - Family/_chat.txt', '_chat.txt', new TextEncoder().encode(line)]])).toEqual([key])
    // Two chats of iOS at once have the same name within.
    expect(new Set(await keysOf([zipped('WhatsApp Chat - Family.zip'), zipped('WhatsApp Chat - Tom.zip')])).size).toBe(2)
  })

  test('A day with more words than a post may have becomes several', async () => {
    const line = `03.05.24, 14:20 - Ann: ${'word '.repeat(10_000)}`
    const plan = await planned({ 'WhatsApp.txt': `${line}\n${line}\n${line}` })
    expect(plan.posts.map(({ fields }) => [fields.title, (fields.body?.length ?? 0) <= LIMITS.postBody])).toEqual([
      ['WhatsApp (1 of 3), 3 May 2024', true],
      ['WhatsApp (2 of 3), 3 May 2024', true],
      ['WhatsApp (3 of 3), 3 May 2024', true],
    ])
  })

  test('A chat whose file has a name in another language is a chat, and a list with a time in it is not', async () => {
    const chat = '٣\u200f/٥\u200f/٢٠٢٤، ٢:٢٠ م - أحمد: مرحبا'
    const plan = await planned({ 'محادثة واتساب مع أحمد.txt': chat, 'trains.txt': 'Trains\n03.05.24, 14:20 - Rome: 2 tickets' })
    expect(plan.format).toBe('whatsapp')
    expect(plan.posts.map(({ fields }) => fields)).toMatchObject([
      { title: 'محادثة واتساب مع أحمد, 3 May 2024', body: '<p><strong>أحمد</strong>: مرحبا</p>' },
    ])
    expect(plan.assets.map(({ name }) => name)).toEqual(['trains.txt'])
  })

  test('Another text is a file like any other', async () => {
    const file = new File(['We talked on WhatsApp'], 'whatsapp notes.txt')
    const options = { signal: new AbortController().signal, onProgress: () => undefined }
    expect((await planImport([{ path: file.name, file }], options)).format).toBe('folder')
  })
})
