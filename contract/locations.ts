import { t } from '#say'
import { LIMITS } from './limits.ts'
import { optionalLine } from './text.ts'
import { PLACE_NAME } from './text-words.ts'
import { z } from './zod.ts'

const LATITUDE = { error: () => t`Latitude is between -90 and 90` }
const LONGITUDE = { error: () => t`Longitude is between -180 and 180` }

/** A point in WGS 84 degrees, with an optional name. */
export const Location = z.strictObject({
  lat: z.number().min(-90, LATITUDE).max(90, LATITUDE),
  lon: z.number().min(-180, LONGITUDE).max(180, LONGITUDE),
  name: optionalLine(LIMITS.locationName, PLACE_NAME).optional(),
})
export type Location = z.infer<typeof Location>
