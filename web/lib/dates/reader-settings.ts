import type { DateSettings } from '../../../contract/date-settings.ts'

// Apart from reader.ts, so that the app sets it at its start without loading what formats dates.

let settings: DateSettings | null = null

export function readerSettings(): DateSettings | null {
  return settings
}

/** Applies the reader's own settings; null follows the browser. What is already on the screen has to be rendered again. */
export function setReader(next: DateSettings | null): void {
  settings = next
}
