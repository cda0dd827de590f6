import { shownLanguage } from '#language'
import { t } from '#say'

/** By powers of a thousand. */
const UNITS: readonly ((size: string) => string)[] = [
  (size) => t`${size} B`,
  (size) => t`${size} KB`,
  (size) => t`${size} MB`,
  (size) => t`${size} GB`,
  (size) => t`${size} TB`,
]

/** `3.4 MB` */
export function formatSize(bytes: number): string {
  const power = Math.min(UNITS.length - 1, Math.floor(Math.log10(Math.max(1, bytes)) / 3))
  const value = bytes / 1000 ** power
  const rounded = value < 10 && power > 0 ? Number(value.toFixed(1)) : Math.round(value)
  return UNITS[power]?.(rounded.toLocaleString(shownLanguage(), { useGrouping: false })) ?? ''
}
