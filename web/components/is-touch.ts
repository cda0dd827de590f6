import type { MouseEvent } from 'react'

/** Whether a finger did it. By a key there is no pointer, and by a mouse another one. */
export function isTouch({ nativeEvent }: MouseEvent): boolean {
  return 'pointerType' in nativeEvent && nativeEvent.pointerType === 'touch'
}
