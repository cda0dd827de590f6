/** Colours and corner radii (rem) of a theme. Not in the file of the schema, so that the head script loads them without zod. */
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

/** Themes of users and collections that have not chosen one. */
export const USER_THEME = { primary: 'orange', neutral: 'stone', radius: 0.5, blackAsPrimary: false } as const
export const COLLECTION_THEME = { primary: 'green', neutral: 'slate', radius: 0.5, blackAsPrimary: false } as const
