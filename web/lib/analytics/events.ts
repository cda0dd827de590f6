const RAGE = { clicks: 3, pixels: 30, milliseconds: 1000 }
export const MAX_FRAMES = 50

type Properties = Record<string, unknown>

/**
 * Strips queries and fragments from URLs: they contain search terms, and the secrets of links in emails. Covers nested values such as
 * `$set`.
 */
export function withoutQueries(properties: Properties): Properties {
  const clean = (value: unknown): unknown => {
    if (typeof value === 'string') return /^https?:\/\//.test(value) ? value.replace(/[?#].*$/s, '') : value
    if (Array.isArray(value)) return value.map(clean)
    return value && typeof value === 'object' && Object.getPrototypeOf(value) === Object.prototype ? withoutQueries({ ...value }) : value
  }
  return Object.fromEntries(Object.entries(properties).map(([name, value]) => [name, clean(value)]))
}

/** Returns true for every third click at one point in quick succession: a sign that the element does not respond as expected. */
export function rageDetector(): (click: { x: number; y: number; at: number }) => boolean {
  let count = 0
  let last = { x: 0, y: 0, at: Number.NEGATIVE_INFINITY }
  return (click) => {
    const near = Math.hypot(click.x - last.x, click.y - last.y) < RAGE.pixels && click.at - last.at < RAGE.milliseconds
    count = near ? count + 1 : 1
    last = click
    return count === RAGE.clicks
  }
}

interface Frame {
  platform: 'web:javascript'
  filename: string
  function: string
  lineno: number
  colno: number
  in_app: boolean
}

/** `fn (file:line:column)` and `at fn (file:line:column)` of Chromium, `fn@file:line:column` of Firefox and Safari. */
const LINE = /^\s*(?:at )?(?:(?<fn>.*?)[ @]\(?)?(?<file>\S+?):(?<line>\d+):(?<column>\d+)\)?$/

/** Innermost calls of an error's stack, outermost first, as the service expects. */
export function framesOf(stack: string): Frame[] {
  const frames: Frame[] = []
  for (const text of stack.split('\n')) {
    const { fn, file, line, column } = LINE.exec(text)?.groups ?? {}
    if (file)
      frames.push({
        platform: 'web:javascript',
        filename: file,
        function: fn || '?',
        lineno: Number(line),
        colno: Number(column),
        in_app: true,
      })
    if (frames.length === MAX_FRAMES) break
  }
  return frames.toReversed()
}

export function exceptionOf(error: Error): Properties {
  const stacktrace = { type: 'raw', frames: framesOf(error.stack ?? '') }
  return { $exception_list: [{ type: error.name, value: error.message, mechanism: { handled: false, type: 'generic' }, stacktrace }] }
}
