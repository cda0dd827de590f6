import { sleep } from './scheduling.ts'

/** Milliseconds between two looks. */
const LULL = 1_000

/** Fields into which somebody has put something, while they are on the page. */
const touched = new Set<EventTarget | null>()

export function noticeWriting(): void {
  addEventListener('input', ({ target }) => {
    for (const field of touched) if (!isWritten(field)) touched.delete(field)
    touched.add(target)
  })
}

/** Resolves once no text that somebody has typed and no dialog that they have changed is open, so that drawing the app anew loses nothing; also if it is over before. */
export async function untilNobodyWrites(isOver: () => boolean): Promise<void> {
  while (!isOver() && [...touched].some(isWritten)) await sleep(LULL)
}

/** Inputs without a text. What is searched for stays in the address. */
const WITHOUT_TEXT = ['checkbox', 'file', 'radio', 'range', 'search']

function isWritten(field: EventTarget | null): boolean {
  if (!(field instanceof HTMLElement && field.isConnected)) return false
  if (field.closest('[role=dialog]')) return true
  if (field instanceof HTMLInputElement) return !WITHOUT_TEXT.includes(field.type) && field.value !== ''
  return field instanceof HTMLTextAreaElement ? field.value !== '' : field.isContentEditable && field.textContent !== ''
}
