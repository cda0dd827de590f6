import { t } from '#say'
import { NEUTRAL_COLORS, PRIMARY_COLORS, RADII } from './colors.ts'
import { LIMITS } from './limits.ts'
import { isStorable } from './text.ts'
import { z } from './zod.ts'

/** Names that lead from any object to its prototype. */
const UNSAFE_NAMES = new Set(['__proto__', 'constructor', 'prototype'])

/**
 * Colours and corner radius (rem) of a user or a collection. Fields that are not known here are kept as they were sent, for clients that
 * know more.
 */
export const Theme = z
  .looseObject({
    primary: z.enum(PRIMARY_COLORS),
    neutral: z.enum(NEUTRAL_COLORS),
    radius: z.literal(RADII),
    blackAsPrimary: z.boolean(),
  })
  .superRefine((theme, ctx) => {
    const refuse = (path: string[], message: string) => ctx.addIssue({ code: 'custom', path, message })
    const refused = findRefused(theme)
    if (refused) refuse(refused, t`This cannot be kept in a theme`)
    const size = new TextEncoder().encode(JSON.stringify(theme)).byteLength
    if (size > LIMITS.theme) refuse([], t`A theme may have at most ${{ size: LIMITS.theme / 1024 }} KiB`)
  })
export type Theme = z.infer<typeof Theme>
export type PrimaryColor = Theme['primary']

/** The path of the first name or text, at any depth, that is unsafe or that the database refuses. */
function findRefused(value: unknown, path: string[] = []): string[] | null {
  if (typeof value === 'string') return isStorable(value) ? null : path
  if (typeof value !== 'object' || value === null) return null
  for (const [name, inner] of Object.entries(value)) {
    const at = [...path, name]
    const refused = UNSAFE_NAMES.has(name) || !isStorable(name) ? at : findRefused(inner, at)
    if (refused) return refused
  }
  return null
}
