import { expect, test } from 'vitest'
import { earlierDays } from './send-weekly-mails.ts'

test.each([
  ['2026-07-12', ['2025-07-12', '2024-07-12', '2023-07-12']],
  // In years without 29 February, that day is remembered on the 28th.
  ['2026-02-28', ['2025-02-28', '2024-02-29', '2024-02-28', '2023-02-28']],
  ['2024-02-28', ['2023-02-28', '2022-02-28']],
  ['2024-02-29', ['2020-02-29', '2016-02-29']],
])('On %s, the earlier days are %j and so on', (today, days) => {
  expect(earlierDays(today).slice(0, days.length)).toEqual(days)
})
