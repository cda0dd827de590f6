import { isCovered } from './palette/key-owner.ts'

/** Milliseconds between two looks. */
const LULL = 1_000

/** Resolves once no dialog is open and the field with the focus is empty, so that drawing the app anew loses nothing; also if it is over before. */
export async function untilNobodyWrites(isOver: () => boolean): Promise<void> {
  while (!isOver() && (isCovered() || isWritten(document.activeElement))) await new Promise((resolve) => setTimeout(resolve, LULL))
}

function isWritten(field: Element | null): boolean {
  if (field instanceof HTMLInputElement || field instanceof HTMLTextAreaElement) return field.value !== ''
  return field instanceof HTMLElement && field.isContentEditable && field.textContent !== ''
}
