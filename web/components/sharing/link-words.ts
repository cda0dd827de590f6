import { joined } from '#language'
import { plural, t } from '#say'
import type { Link } from '../../../contract/links.ts'
import type { Person } from '../../../contract/people.ts'
import { itemCount } from '../../lib/bulk/words.ts'
import { dayHere } from '../../lib/dates/moments.ts'
import { formatDate } from '../../lib/dates/text.ts'
import type { Filters } from '../../lib/filters/content.ts'
import { chipLabel, SECTIONS } from '../../lib/filters/words.ts'

/** `Photos, Ana`. */
export function filtersText(filters: Filters, people: readonly Person[] | null): string {
  return joined(SECTIONS.flatMap(({ key }) => filters[key].map((value) => chipLabel(key, value, people))))
}

/** The part of the collection that a link shows: `The whole collection`, `3 items`, `Photos, Ana`. */
export function shownText({ kind, itemIds, filters }: Link, people: readonly Person[] | null): string {
  if (kind === 'items') return itemCount(itemIds?.length ?? 0)
  return kind === 'filter' && filters ? filtersText(filters, people) : t`The whole collection`
}

/** The rules of a link in one line: `View and comment · password · towns · downloads · until 3 May`. */
export function rulesText({ allows, approve, password, location, download, askName, join, endsAt }: Link, now: string): string {
  return [
    allows === 'add'
      ? approve
        ? t`View, comment and add, with approval`
        : t`View, comment and add`
      : allows === 'answer'
        ? t({ message: 'View and comment', context: 'verb' })
        : t({ message: 'View', context: 'verb', comment: 'What guests of a link may do' }),
    password && t({ message: 'password', comment: 'In a list: the link has one' }),
    location === 'hidden' ? t`no places` : location === 'town' ? t`towns` : t`exact places`,
    download && t({ message: 'downloads', context: 'noun' }),
    askName && t({ message: 'asks for a name', comment: 'In a list: what a link does' }),
    join && t`people may ask to join`,
    endsAt && t`until ${formatDate(dayHere(endsAt), now.slice(0, 4))}`,
  ]
    .filter((part) => typeof part === 'string')
    .join(' · ')
}

/** `Opened 12 times in 30 days, last on 3 May`, or `Not opened yet`. */
export function visitsText({ views, lastUsedAt }: Link, now: string): string {
  if (lastUsedAt === null) return t`Not opened yet`
  const visits = views.reduce((sum, day) => sum + day.views, 0)
  const day = formatDate(dayHere(lastUsedAt), now.slice(0, 4))
  return t`${plural(visits, {
    one: `Opened # time in 30 days, last on ${day}`,
    other: `Opened # times in 30 days, last on ${day}`,
  })}`
}
