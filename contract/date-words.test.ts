import { expect, test } from 'vitest'
import { dateFormat, NO_DATE_SETTINGS } from './date-format.ts'

/** Dates in a browser of the language. */
const shownIn = (language: string, shown = language.split('-')[0]) => dateFormat(NO_DATE_SETTINGS, { language, timeZone: 'UTC' }, shown)
const AFTERNOON = { date: '2025-05-03T14:20:00Z', date_zone: 'UTC', date_precision: 'minute' as const }

test.each([
  ['de', '3. Mai 2025 um 14:20', 'Samstag, 3. Mai', '13.–19. Mai 2024', 'Mai 2025', 'Mo', '14:00'],
  ['de-AT', '3. Mai 2025 um 14:20', 'Samstag, 3. Mai', '13.–19. Mai 2024', 'Mai 2025', 'Mo', '14:00'],
  ['fr', '3 mai 2025 à 14:20', 'samedi 3 mai', '13–19 mai 2024', 'mai 2025', 'lun.', '14:00'],
  ['pl', '3 maja 2025 14:20', 'sobota, 3 maja', '13–19 maj 2024', 'maj 2025', 'pon.', '14:00'],
  ['ja', '2025年5月3日 14:20', '5月3日土曜日', '2024年5月13日～5月19日', '2025年5月', '月', '14:00'],
  ['ar-SA', '٣ مايو ٢٠٢٥ في ٢:٢٠ م', 'السبت، ٣ مايو', '١٣–١٩ مايو ٢٠٢٤', 'مايو ٢٠٢٥', 'الاثنين', '٢ م'],
])('A reader of %s sees %s', (language, moment, day, days, month, monday, hour) => {
  const format = shownIn(language)
  expect([
    format.when(AFTERNOON),
    format.day('2025-05-03', { weekday: 'long', year: false }),
    format.days('2024-05-13', '2024-05-19'),
    format.month('2025-05'),
    format.weekday(1, 'short'),
    format.hour(14),
  ]).toEqual([moment, day, days, month, monday, hour])
})

test('French and Portuguese count the first of a month, and no other day', () => {
  const { day, days, when } = shownIn('fr')
  expect([
    day('2025-05-01'),
    day('2025-05-21'),
    days('2024-05-01', '2024-05-11'),
    when({ ...AFTERNOON, date: '2025-05-01T14:20:00Z' }),
  ]).toEqual(['1er mai 2025', '21 mai 2025', '1er–11 mai 2024', '1er mai 2025 à 14:20'])
})

test('Years are called as the language calls them', () => {
  expect(['en', 'de', 'ja'].map((language) => shownIn(language).year('2025-05-03'))).toEqual(['2025', '2025', '2025年'])
  expect(shownIn('zh-Hans', 'zh-Hans').days('2024-12-30', '2025-01-05')).toBe('2024年12月30日至2025年1月5日')
})
