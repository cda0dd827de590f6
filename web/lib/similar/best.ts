import { listText } from '#language'
import { plural, t } from '#say'
import type { Asset } from '../../../contract/assets.ts'

const pixels = ({ width, height }: Asset) => (width ?? 0) * (height ?? 0)
const details = ({ date, location }: Asset) => Number(date !== null) + Number(location !== null)

/** Orders copies of one photo: most pixels, then with date and place, then the larger file, then the one that was here first. */
export function bestFirst(a: Asset, b: Asset): number {
  return (
    pixels(b) - pixels(a) ||
    details(b) - details(a) ||
    b.size - a.size ||
    Date.parse(a.created_at) - Date.parse(b.created_at) ||
    (a.id < b.id ? -1 : 1)
  )
}

/** What `gone` have and none of `kept`: `a description, a place and 2 people`; empty if nothing is missing. */
export function missingIn(kept: readonly Asset[], gone: readonly Asset[]): string {
  const lost = <T>(of: (asset: Asset) => T | null) => gone.some((asset) => of(asset)) && !kept.some((asset) => of(asset))
  const words = new Set(kept.map(({ alt }) => alt))
  const known = new Set(kept.flatMap((asset) => asset.people))
  const people = new Set(gone.flatMap((asset) => asset.people.filter((id) => !known.has(id)))).size
  const missing = [
    gone.some(({ alt }) => alt && !words.has(alt)) && t`a description`,
    lost(({ date }) => date) && t`a date`,
    lost(({ location }) => location) && t`a place`,
    people > 0 && t`${plural(people, { one: '# person', other: '# people' })}`,
  ].filter((text) => text !== false)
  return listText(missing)
}
