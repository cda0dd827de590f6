import { type PointerEvent as ReactPointerEvent, useCallback, useEffect, useRef, useState } from 'react'
import type { MapItem } from '../../atoms/map.ts'

/** Pixels that a finger or the mouse moves before a press becomes a drag. */
const SLOP = 6

interface Ghost {
  item: MapItem
  x: number
  y: number
}

/** Drags a tile out of the tray. Along the tray a finger scrolls, away from it the finger drags the tile. */
export function useTrayDrag(onDrop: (item: MapItem, x: number, y: number) => void) {
  const [ghost, setGhost] = useState<Ghost | null>(null)
  const drop = useRef(onDrop)
  drop.current = onDrop
  const stop = useRef<() => void>(() => {})
  useEffect(() => () => stop.current(), [])

  const start = useCallback((item: MapItem, event: ReactPointerEvent<HTMLElement>) => {
    if (event.button !== 0) return
    const tile = event.currentTarget
    const { clientX, clientY, pointerId, pointerType } = event
    const listening = new AbortController()
    let dragging = false
    const end = () => {
      listening.abort()
      setGhost(null)
    }
    stop.current = end
    const on = <K extends keyof WindowEventMap>(type: K, listener: (event: WindowEventMap[K]) => void) =>
      addEventListener(type, listener, listening)
    on('pointermove', (moved) => {
      if (moved.pointerId !== pointerId) return
      const [dx, dy] = [Math.abs(moved.clientX - clientX), Math.abs(moved.clientY - clientY)]
      if (!dragging && Math.max(dx, dy) < SLOP) return
      // The browser takes over a finger that moves along the tray, and sends pointercancel.
      if (!dragging && pointerType === 'touch' && dx > dy) return
      dragging = true
      setGhost({ item, x: moved.clientX, y: moved.clientY })
    })
    on('pointerup', (up) => {
      if (up.pointerId !== pointerId) return
      end()
      if (!dragging) return
      // A drag that returns to its tile ends with a click that must be ignored.
      const swallowing = new AbortController()
      tile.addEventListener('click', (click) => click.stopPropagation(), { capture: true, signal: swallowing.signal })
      setTimeout(() => swallowing.abort())
      drop.current(item, up.clientX, up.clientY)
    })
    on('pointercancel', end)
    on('keydown', (key) => key.key === 'Escape' && end())
  }, [])

  return { ghost, start }
}
