const LETTER = /^Key([A-Z])$/

/** `event.key` in lower case. On layouts without Latin letters, the position of the key counts. */
export function latinKey({ key, code }: Pick<KeyboardEvent, 'key' | 'code'>): string {
  const latin = /^[ -~]$/.test(key) ? key : LETTER.exec(code)?.[1]
  return (key.length === 1 ? (latin ?? key) : key).toLowerCase()
}
