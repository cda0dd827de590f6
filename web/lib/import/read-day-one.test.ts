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
})
