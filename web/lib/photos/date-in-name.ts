import { t } from '#say'
import type { Asset } from '../../../contract/assets.ts'
import { dateInName } from '../../../contract/photos/date-in-name.ts'

/**
 * What to say of a date that the name of its file has as well, otherwise null. A camera's tags always have a time, so that a day alone is of the name.
 * A time may be of both.
 */
export function dateByName({ name, date, date_zone: zone, date_precision: precision }: DatedAsset, now = Date.now()): string | null {
  // An offset is never of a name.
  if (date === null || /^[+-]/.test(zone ?? '')) return null
  const named = dateInName(name, zone ?? 'UTC', now)
  if (named?.datePrecision !== precision || Date.parse(named.date) !== Date.parse(date)) return null
  return precision === 'day' ? t`From the file's name` : t`The file's name says the same`
}

type DatedAsset = Pick<Asset, 'name' | 'date' | 'date_zone' | 'date_precision'>
