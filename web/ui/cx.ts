/** Joins class names. No two of a list may set the same property, since their order decides nothing (class-lists.test.ts). */
export function cx(...names: (string | false | null | undefined)[]): string {
  return names.filter(Boolean).join(' ')
}
