import { NEUTRAL_COLORS, PRIMARY_COLORS, RADII } from './colors.ts'
import { z } from './zod.ts'

/** Colours and corner radius (rem) of a user or a collection. */
export const Theme = z.strictObject({
  primary: z.enum(PRIMARY_COLORS),
  neutral: z.enum(NEUTRAL_COLORS),
  radius: z.literal(RADII),
  blackAsPrimary: z.boolean(),
})
export type Theme = z.infer<typeof Theme>
export type PrimaryColor = Theme['primary']
