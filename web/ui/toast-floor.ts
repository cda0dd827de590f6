import { useCallback, useLayoutEffect } from 'react'

/** Pixels from the right edge that toasts take, and the height of a toast with two lines and a button, with some margin. */
const WIDTH = 384
const HEIGHT = 144

/** The open dialogs, the topmost last. */
const dialogs: HTMLElement[] = []

/**
 * Keeps toasts off the buttons of an open dialog: above the dialog where there is room, otherwise above its footer (`data-dialog-foot`). Returns the
 * ref for the dialog's element.
 */
export function useToastFloor() {
  // The content may have changed its size, and the dialog may be closing.
  useLayoutEffect(measure)
  return useCallback((dialog: HTMLElement | null) => {
    if (!dialog) return
    dialogs.push(dialog)
    const observer = new ResizeObserver(measure)
    observer.observe(dialog)
    // During the opening animation it is not at its final position.
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
  // Replaces the offset for the bars at the bottom of the screen, which are below the dialog.
  if (dialog) style.setProperty('--toast-floor', `${floorOver(dialog)}px`)
  else style.removeProperty('--toast-floor')
}

/** Distance from the bottom of the screen at which toasts are placed, in pixels. */
function floorOver(dialog: HTMLElement): number {
  const { top, right, bottom } = dialog.getBoundingClientRect()
  if (innerWidth - right >= WIDTH || innerHeight - bottom >= HEIGHT) return 0
  if (top >= HEIGHT) return innerHeight - top
  const foot = dialog.querySelector('[data-dialog-foot]')
  return foot ? innerHeight - foot.getBoundingClientRect().top : 0
}
