import { utcOf } from '../zones.ts'
import { HALF, hourOfHalf, type When, whenOf, whenOfMoment, writtenAt } from './written-dates.ts'

/** `20190601`, `2019-06-01`, `2019.06.01` or `2019_06_01`, not within a longer number unless that goes on with a time. */
const DAY = /(?<!\d)(\d{4})([-._]?)(0[1-9]|1[0-2])\2(0[1-9]|[12]\d|3[01])(?=\D|$|\d{6}(?:\d{3})?(?!\d))/g
/** Between day and time: signs, or before a time with signs the words of screenshots and messengers (`at`, `um`, `kl.`, `alle`, `a las`). */
const BETWEEN = new RegExp(`^(?:[-_ T]*(?=\\d|${HALF})|\\s+\\p{L}{1,5}\\.?(?:\\s\\p{L}{1,3})?\\s+(?=\\d{1,2}[-._:]))`, 'iu')
/** `030405123`, `03-04-05`, `3.04.05 PM`, `午後3.04.05`. */
const TIME = new RegExp(
  `^(?:(${HALF})\\s*)?(?:(\\d{2})(\\d{2})(\\d{2})|(\\d{1,2})([-._:])(\\d{2})\\6(\\d{2}))(?:[-._]?(\\d{3}))?(?:\\s*(${HALF}))?(?!\\d)`,
  'iu',
)
/** Milliseconds since 1970, as messengers name files, from 2001 to 2033. */
const MILLISECONDS = /(?<!\d)(1\d{12})(?!\d)/
/** Without separators a number is a date only since there are digital cameras. */
const FIRST_DIGITAL = 1990

/**
 * The date in a file's name, as phones, screenshots and messengers write it: `IMG-20190601-WA0001`, `Screenshot_20200102-030405`,
 * `2020-01-02 Lake`. With a day alone it is a whole day. `zone` is that of the reader.
 */
export function dateInName(name: string, zone: string, now: number): When | null {
  for (const found of name.matchAll(DAY)) {
    const [whole, year = '', separator, month, day] = found
    if (!separator && Number(year) < FIRST_DIGITAL) continue
    const time = timeAfter(name.slice(found.index + whole.length))
    const written = writtenAt([Number(year), Number(month), Number(day), ...(time?.clock ?? [12])], time ? 'minute' : 'day')
    if (!written) continue
    const exact = { ...written, milliseconds: time?.milliseconds ?? 0 }
    // Pixel phones name photos by UTC.
    return time && name.startsWith('PXL_') ? whenOfMoment(utcOf(exact.wall) + exact.milliseconds, zone, now) : whenOf(exact, zone, now)
  }
  const milliseconds = MILLISECONDS.exec(name)?.[1]
  return milliseconds ? whenOfMoment(Number(milliseconds), zone, now) : null
}

function timeAfter(text: string): { clock: [number, number, number]; milliseconds: number } | null {
  const between = BETWEEN.exec(text)?.[0] ?? ''
  const found = TIME.exec(text.slice(between.length))
  if (!found) return null
  const [, before, hours, minutes, seconds, spacedHours, , spacedMinutes, spacedSeconds, fraction = '0', after] = found
  const half = before ?? after
  const [hour, minute, second] = [Number(hours ?? spacedHours), Number(minutes ?? spacedMinutes), Number(seconds ?? spacedSeconds)]
  if (hour > 23 || minute > 59 || second > 59) return null
  return { clock: [half ? hourOfHalf(hour, half) : hour, minute, second], milliseconds: Number(fraction) }
}
