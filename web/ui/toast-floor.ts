import { useCallback, useLayoutEffect } from 'react'

/** Pixels of the right edge that toasts take, and of the height that one of two lines with a button does, with some air. */
const WIDTH = 384
const HEIGHT = 144

/** Those that are there, the topmost last. */
const dialogs: HTMLElement[] = []

/**
 * Keeps toasts off the buttons of an open dialog: they are above it where there is room, and otherwise above its footer
 * (`data-dialog-foot`). Returns what the dialog's element wants as its ref.
 */
export function useToastFloor() {
  // Whatever it shows may have changed its size, and it may be closing.
  useLayoutEffect(measure)
  return useCallback((dialog: HTMLElement | null) => {
    if (!dialog) return
    dialogs.push(dialog)
    const observer = new ResizeObserver(measure)
    observer.observe(dialog)
    // While it rises it is not yet where it will be.
    dialog.addEventListener('animationend', measure)
    addEventListener('resize', measure)
    measure()
    return () => {
      dialogs.splice(dialogs.indexOf(dialog), 1)
      observer.disconnect()
      dialog.removeEventListener('animationend', measure)
      removeEventListener('resize', measure)
      measure()
    }
  }, [])
}

function measure(): void {
  const dialog = dialogs.findLast(({ dataset }) => dataset.state !== 'closed')
  const { style } = document.documentElement
  // Instead of the bars at the foot of the screen, which are below the dialog.
  if (dialog) style.setProperty('--toast-floor', `${floorOver(dialog)}px`)
  else style.removeProperty('--toast-floor')
}

/** Pixels from the foot of the screen on which toasts may stand. */
function floorOver(dialog: HTMLElement): number {
  const { top, right, bottom } = dialog.getBoundingClientRect()
  if (innerWidth - right >= WIDTH || innerHeight - bottom >= HEIGHT) return 0
  if (top >= HEIGHT) return innerHeight - top
  const foot = dialog.querySelector('[data-dialog-foot]')
  return foot ? innerHeight - foot.getBoundingClientRect().top : 0
}
