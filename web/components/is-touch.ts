import type { MouseEvent } from 'react'

/** Whether the event came from a finger. A key press has no pointer type, and a mouse has its own. */
export function isTouch({ nativeEvent }: MouseEvent): boolean {
  return 'pointerType' in nativeEvent && nativeEvent.pointerType === 'touch'
}
