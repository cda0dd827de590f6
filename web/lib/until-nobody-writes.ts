/** Milliseconds between two looks. */
const LULL = 1_000

/** Fields in which somebody has typed, while they are on the page. */
const typed = new Set<EventTarget | null>()

export function noticeTyping(): void {
  addEventListener('input', ({ target }) => {
    for (const field of typed) if (!isWritten(field)) typed.delete(field)
    typed.add(target)
  })
}

/** Resolves once no field has a text that somebody has typed, so that drawing the app anew loses nothing; also if it is over before. */
export async function untilNobodyWrites(isOver: () => boolean): Promise<void> {
  while (!isOver() && [...typed].some(isWritten)) await new Promise((resolve) => setTimeout(resolve, LULL))
}

/** Inputs that hold no text. What is searched for stays in the address. */
const WITHOUT_TEXT = ['checkbox', 'file', 'radio', 'range', 'search']

function isWritten(field: EventTarget | null): boolean {
  if (!(field instanceof HTMLElement && field.isConnected)) return false
  if (field instanceof HTMLInputElement) return !WITHOUT_TEXT.includes(field.type) && field.value !== ''
  return field instanceof HTMLTextAreaElement ? field.value !== '' : field.isContentEditable && field.textContent !== ''
}
