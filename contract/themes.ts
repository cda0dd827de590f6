import { z } from './zod.ts'

export const PRIMARY_COLORS = [
  'red',
  'orange',
  'amber',
  'yellow',
  'lime',
  'green',
  'emerald',
  'teal',
  'cyan',
  'sky',
  'blue',
  'indigo',
  'violet',
  'purple',
  'fuchsia',
  'pink',
  'rose',
] as const
export const NEUTRAL_COLORS = ['slate', 'gray', 'zinc', 'neutral', 'stone', 'tea'] as const
export const RADII = [0, 0.125, 0.25, 0.375, 0.5] as const

/** Colours and corner radius (rem) of a user or a collection. */
export const Theme = z.strictObject({
  primary: z.enum(PRIMARY_COLORS),
  neutral: z.enum(NEUTRAL_COLORS),
  radius: z.literal(RADII),
  blackAsPrimary: z.boolean(),
})
export type Theme = z.infer<typeof Theme>
export type PrimaryColor = Theme['primary']

/** Defaults: spec §9. */
export const USER_THEME: Theme = { primary: 'orange', neutral: 'stone', radius: 0.5, blackAsPrimary: false }
export const COLLECTION_THEME: Theme = { primary: 'green', neutral: 'stone', radius: 0.5, blackAsPrimary: false }
