import { LIMITS } from './limits.ts'
import { optionalLine } from './text.ts'
import { z } from './zod.ts'

/** A point in WGS 84 degrees, with an optional name. */
export const Location = z.strictObject({
  lat: z.number().min(-90, 'Latitude is between -90 and 90').max(90, 'Latitude is between -90 and 90'),
  lon: z.number().min(-180, 'Longitude is between -180 and 180').max(180, 'Longitude is between -180 and 180'),
  name: optionalLine(LIMITS.locationName, 'The name of the place').optional(),
})
export type Location = z.infer<typeof Location>
