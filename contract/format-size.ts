const UNITS = ['B', 'KB', 'MB', 'GB', 'TB'] as const

/** `3.4 MB` */
export function formatSize(bytes: number): string {
  const power = Math.min(UNITS.length - 1, Math.floor(Math.log10(Math.max(1, bytes)) / 3))
  const value = bytes / 1000 ** power
  return `${value < 10 && power > 0 ? value.toFixed(1).replace('.0', '') : Math.round(value)} ${UNITS[power]}`
}
