import { ARCHIVE_FILES } from '../../../contract/archive.ts'
import { type DatePrecision, dayOf } from '../../../contract/dates.ts'
import { atMostBytes } from '../../http/at-most-bytes.ts'
import { safeFileName } from '../../media/content-disposition.ts'

interface Named {
  name: string
  date: string | null
  date_zone: string | null
  date_precision: DatePrecision
}

/** Limit of file systems, less the length of a date, a counter and an extension. */
const MAX_BYTES = 200

/** Returns a function that gives each file a unique path in the archive: the known part of its date, then its name. Unique even without case. */
export function createNames(): (file: Named) => string {
  const taken = new Map<string, number>()
  return (file) => {
    // A browser replaces quotation marks when it saves a download; programs that unpack a ZIP on Windows fail.
    const { stem, extension } = parts(`${prefix(file)}${safeFileName(file.name).replaceAll('"', '_')}`)
    for (;;) {
      const key = `${stem}${extension}`.normalize('NFKC').toLowerCase()
      const count = (taken.get(key) ?? 0) + 1
      taken.set(key, count)
      if (count === 1) return `${ARCHIVE_FILES.originals}${stem}${extension}`
      const numbered = `${stem} (${count})${extension}`
      const own = numbered.normalize('NFKC').toLowerCase()
      if (taken.has(own)) continue
      taken.set(own, 1)
      return `${ARCHIVE_FILES.originals}${numbered}`
    }
  }
}

const DIGITS: Partial<Record<DatePrecision, number>> = { year: 4, month: 7, day: 10, minute: 10 }

function prefix({ date, date_zone, date_precision }: Named): string {
  const day = dayOf(date, date_zone)?.slice(0, DIGITS[date_precision] ?? 0)
  return day ? `${day} ` : ''
}

function parts(name: string): { stem: string; extension: string } {
  const extension = /\.[a-z0-9]{1,10}$/i.exec(name)?.[0] ?? ''
  const stem = name.slice(0, name.length - extension.length)
  return { stem: cut(stem) || 'file', extension }
}

function cut(text: string): string {
  const kept = atMostBytes(text, MAX_BYTES)
  return kept.length < text.length ? kept.replace(/(?<![\s.])[\s.]+$/, '') : text
}
