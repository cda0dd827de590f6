import { describe, expect, test } from 'vitest'
import { NO_DATE_SETTINGS } from '../../../contract/date-format.ts'
import { dayOneEntry } from '../../../tests/support/archives.ts'
import { photo, planned } from '../../../tests/support/plan-import.ts'
import { setReader } from '../dates/reader-settings.ts'

setReader({ ...NO_DATE_SETTINGS, region: 'GB' })

describe('Import of Day One', () => {
  const media = [
    {
      identifier: 'AAA',
      md5: 'aaa111',
      type: 'jpeg',
      orderInEntry: 0,
      date: '2023-08-14T07:00:00Z',
      location: { latitude: 35.01, longitude: 135.77 },
    },
    { identifier: 'BBB', md5: 'bbb222', type: 'jpeg', orderInEntry: 1, filename: 'IMG_9.HEIC' },
  ]

  test('Entries become notes with title, text, place, zone and photos in the order of the text', async () => {
    const text =
      '# Fushimi Inari\n\nUp at **five**\\. *Foxes*:\n- stone\n- moss\n\n![](dayone-moment://BBB)\n\nLine one\nline two [link](https://example.org)\n![](dayone-moment://AAA)'
    const location = { latitude: 34.9671, longitude: 135.7727, placeName: 'Fushimi Inari', localityName: 'Kyoto', country: 'Japan' }
    const plan = await planned({
      'Journal.json': {
        metadata: { version: '1.0' },
        entries: [dayOneEntry(text, { location, photos: media, tags: ['trip', 'japan 2023'] })],
      },
      'photos/aaa111.jpeg': photo('a'),
      'photos/bbb222.jpeg': photo('b'),
    })
    expect(plan).toMatchObject({ format: 'day-one', title: 'Journal', refused: [], days: { from: '2023-08-14', to: '2023-08-15' } })
    expect(plan.posts[0]?.fields).toMatchObject({
      type: 'note',
      kind: 'journal',
      title: 'Fushimi Inari',
      date: '2023-08-14T16:05:00Z',
      dateZone: 'Asia/Tokyo',
      datePrecision: 'minute',
      location: { lat: 34.9671, lon: 135.7727, name: 'Fushimi Inari, Kyoto' },
    })
    const body = plan.posts[0]?.fields.body ?? ''
    expect(body).toContain('<strong>five</strong>. <em>Foxes</em>')
    expect(body.replace(/\s+/g, '')).toContain('<ul><li>stone</li><li>moss</li></ul>')
    expect(body).toContain('Line one<br>line two <a href="https://example.org">link</a>')
    expect(body).toContain('<p>#trip #japan-2023</p>')
    expect(body).not.toMatch(/dayone|<img|Fushimi/)
    expect(plan.posts[0]?.pictures.map(({ name }) => name)).toEqual(['IMG_9.HEIC', 'aaa111.jpeg'])
    expect(plan.assets[1]?.overrides).toMatchObject({ date: '2023-08-14T07:00:00Z', location: { lat: 35.01 } })
  })

  test('A short first line becomes the title, otherwise the day does', async () => {
    const entries = [
      dayOneEntry('Short line\nand more', { uuid: 'A' }),
      dayOneEntry('', { uuid: 'B', isAllDay: true }),
      dayOneEntry(`${'word '.repeat(40)}\nmore`, { uuid: 'C' }),
      { uuid: 'D' },
    ]
    const plan = await planned({ 'Tagebuch.json': { metadata: { version: '1.0' }, entries } })
    expect(plan.posts.map(({ fields }) => [fields.title, fields.body?.slice(0, 16), fields.datePrecision])).toEqual([
      ['Short line', '<p>and more</p>', 'minute'],
      ['15 August 2023', '', 'day'],
      ['15 August 2023', '<p>word word wor', 'minute'],
    ])
    expect(plan.refused).toEqual([{ name: 'Entry 4', reason: 'It has no date, or is damaged' }])
  })

  test('Missing files are reported, and hostile Markdown stays text', async () => {
    const plan = await planned({
      'Journal.json': {
        metadata: { version: '1.0' },
        entries: [dayOneEntry('Hi\n\n<script>alert(1)</script>\n\n[x](javascript:alert(1))', { photos: media })],
      },
    })
    expect(plan.refused.map(({ reason }) => reason)).toEqual(['Its file is not in the export', 'Its file is not in the export'])
    expect(plan.posts[0]?.pictures).toEqual([])
  })

  /** The plan of one journal. */
  const journal = (...entries: unknown[]) =>
    planned({ 'Journal.json': { metadata: { version: '1.0' }, entries }, 'photos/aaa111.jpeg': photo('a') })

  test('Null and odd fields are as missing, and the rest of the entry is kept', async () => {
    const nothing = { location: null, tags: null, photos: null, videos: null, timeZone: null, isAllDay: null, weather: null }
    const odd = {
      location: { latitude: '?', longitude: null, country: 'Austria' },
      tags: ['a', null, 5],
      photos: [null, 'x', { md5: 'aaa111', orderInEntry: null }],
    }
    const plan = await journal(dayOneEntry('Nulls', nothing), dayOneEntry('Odd', { uuid: null, ...odd }), 'no entry', {
      uuid: 'E',
      text: 'No date',
      creationDate: null,
    })
    expect(plan.posts.map(({ fields }) => [fields.title, fields.body, fields.date, fields.location])).toEqual([
      ['Nulls', '', '2023-08-14T16:05:00Z', null],
      ['Odd', '<p>#a</p>', '2023-08-14T16:05:00Z', null],
      ['No date', '', null, null],
    ])
    expect(plan.posts[1]?.pictures.map(({ name }) => name)).toEqual(['aaa111.jpeg'])
    expect(plan.refused.map(({ name }) => name)).toEqual(['Entry 3'])
    expect(new Set(plan.posts.map(({ key }) => key)).size).toBe(3)
  })

  test('Words that are only in richText become title and body, with the photo in its place', async () => {
    const line = (text: string, line: object, more: object = {}) => ({ text, attributes: { line, ...more } })
    const contents = [
      line('A day\n', { header: 1 }),
      { text: 'First *stars* and ' },
      { text: 'bold ', attributes: { bold: true } },
      { text: 'link', attributes: { linkURL: 'https://example.org/a b' } },
      { text: '\n' },
      { embeddedObjects: [{ type: 'photo', identifier: 'AAA' }] },
      line('one\n', { listStyle: 'numbered', indentLevel: 1 }),
      line('inner\n', { listStyle: 'bulleted', indentLevel: 2 }),
      line('two\n', { listStyle: 'numbered', indentLevel: 1 }),
      null,
      line('done\n', { listStyle: 'checkbox', checked: true }),
      line('let a = *1*\n', { codeBlock: true }),
      line('  b\n', { codeBlock: true }),
    ]
    const plan = await journal(
      dayOneEntry('', { richText: JSON.stringify({ meta: { version: 1 }, contents }), photos: media.slice(0, 1) }),
      dayOneEntry('Words', { uuid: 'B', richText: 'damaged' }),
    )
    const [first, second] = plan.posts
    expect(first?.fields.title).toBe('A day')
    expect(first?.fields.body?.replace(/\n/g, '')).toBe(
      '<p>First *stars* and <strong>bold</strong> <a href="https://example.org/a%20b">link</a></p><ol><li>one<ul><li>inner</li></ul></li><li>two</li></ol><ul><li>☑ done</li></ul><p>let a = *1*<br>&nbsp;&nbsp;b</p>',
    )
    expect(first?.pictures).toHaveLength(1)
    expect(second?.fields.title).toBe('Words')
  })

  test('Videos, recordings and PDFs come with their entry, in the order of the text and without a trace in it', async () => {
    const text = 'Media\n\n![](dayone-moment:/pdfAttachment/D)\n\nand\n\n![](dayone-moment:/video/V)\n\n![](dayone-moment:/audio/U)'
    const kinds = {
      videos: [{ identifier: 'V', md5: 'v1', type: 'mp4' }],
      audios: [{ identifier: 'U', md5: 'u1', format: 'aac' }],
      pdfAttachments: [{ identifier: 'D', md5: 'd1', type: 'pdf' }],
    }
    const plan = await planned({
      'Journal.json': { metadata: { version: '1.0' }, entries: [dayOneEntry(text, kinds)] },
      ...{ 'videos/v1.mp4': photo('v'), 'audios/u1.m4a': photo('u'), 'pdfs/d1.pdf': photo('d') },
    })
    expect(plan.posts.map(({ fields, pictures }) => [fields.body, pictures.map(({ name }) => name)])).toEqual([
      ['<p>and</p>', ['d1.pdf', 'v1.mp4', 'u1.m4a']],
    ])
    // None is left for another post or for the collection alone.
    expect([plan.assets.length, plan.refused]).toEqual([3, []])
  })

  test('Two journals of a ZIP are imported together, and a photo of both is in a post of each', async () => {
    const entry = (uuid: string) => dayOneEntry(uuid, { uuid, photos: media.slice(0, 1) })
    const plan = await planned({
      'Journal.json': { metadata: { version: '1.0' }, entries: [entry('A'), entry('B')] },
      'Tagebuch für Ü.json': { metadata: { version: '1.0' }, entries: [entry('C')] },
      'photos/aaa111.jpeg': photo('a'),
    })
    expect([plan.title, plan.refused]).toEqual(['Journal, Tagebuch für Ü', []])
    const ofPosts = plan.posts.map(({ fields, pictures }) => [fields.title, pictures.map(({ name }) => name)])
    expect(ofPosts).toEqual(['A', 'B', 'C'].map((title) => [title, ['aaa111.jpeg']]))
  })

  test('A photo without an MD5 is found by its identifier', async () => {
    const plan = await journal(dayOneEntry('Photo', { photos: [{ identifier: 'AAA111' }] }))
    expect([plan.posts[0]?.pictures.length, plan.refused]).toEqual([1, []])
  })

  test('An entry from before 1970 keeps its day, and 0° and 0° are no place', async () => {
    const plan = await journal(dayOneEntry('Long ago', { creationDate: '1955-05-12T12:00:00Z', location: { latitude: 0, longitude: 0 } }))
    expect(plan.posts[0]?.fields).toMatchObject({ date: '1955-05-12T12:00:00Z', datePrecision: 'minute', location: null })
    expect(plan.days).toEqual({ from: '1955-05-12', to: '1955-05-12' })
  })
})
