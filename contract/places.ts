import { plural, t } from '#say'
import { endpoint, Success } from './endpoint.ts'
import { LIMITS } from './limits.ts'
import { Location } from './locations.ts'
import { line } from './text.ts'
import { NAME } from './text-words.ts'
import { oneOf, z } from './zod.ts'

/** How much somebody sees of where an item is: the exact place; the town, a cell of a tenth of a degree without a name; or nothing. */
export const PLACES = ['exact', 'town', 'nothing'] as const
export const Places = oneOf(PLACES)
export type Places = z.infer<typeof Places>

/**
 * What the caller sees of an item's place, if not everybody sees it: then this is null. For those who see it exactly, `others` is the least that others
 * see in a collection of the caller, and `hidden` whether only author and admins see it.
 */
export const Place = z.object({ seen: Places, others: Places.optional(), hidden: z.boolean().optional() })
export type Place = z.infer<typeof Place>

/** Whether the caller sees exactly where the item is, and may therefore change it. */
export const seesExactly = ({ place }: { place?: Place | null | undefined }) => !place || place.seen === 'exact'

/** A home zone: a circle inside which others see the town instead of where the author's items are. `radius` in metres. */
export const HomeZone = z.strictObject({
  name: line(LIMITS.personName, NAME),
  lat: Location.shape.lat,
  lon: Location.shape.lon,
  radius: z
    .number()
    .int()
    .min(100, { error: () => t`A zone has at least 100 metres` })
    .max(20_000, { error: () => t`A zone has at most 20 kilometres` }),
})
export type HomeZone = z.infer<typeof HomeZone>

export const HOME_ZONES = 10
const zones = z
  .array(HomeZone)
  .max(HOME_ZONES, { error: () => t`${plural({ count: HOME_ZONES }, { one: 'Choose at most # zone', other: 'Choose at most # zones' })}` })

export const getHomeZones = endpoint({
  method: 'GET',
  path: '/api/users/zones',
  summary: 'Your home zones',
  sessionOnly: true,
  response: Success.extend({ zones }),
})
/** Replaces all of them. */
export const putHomeZones = endpoint({
  method: 'PUT',
  path: '/api/users/zones',
  summary: 'Set your home zones',
  sessionOnly: true,
  body: z.strictObject({ zones }),
  response: Success.extend({ zones }),
})
