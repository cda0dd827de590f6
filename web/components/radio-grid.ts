import type { KeyboardEvent } from 'react'
import { readingKey } from '../lib/reading-direction.ts'

const KEYS = ['ArrowLeft', 'ArrowRight', 'ArrowUp', 'ArrowDown', 'Home', 'End']

/**
 * Arrow keys in a wrapped group of radio buttons: left and right along the line, up and down by position on the screen. Moves the focus and selects,
 * as native radio buttons do.
 */
export function moveInRadioGrid(event: KeyboardEvent<HTMLElement>): void {
  if (!KEYS.includes(event.key)) return
  const radios = [...event.currentTarget.querySelectorAll<HTMLElement>('[role="radio"]')]
  const at = radios.indexOf(document.activeElement as HTMLElement)
  if (at < 0) return
  event.preventDefault()
  const next = radios[targetOf(readingKey(event), at, radios)]
  next?.focus()
  next?.click()
}

function targetOf(key: string, at: number, radios: HTMLElement[]): number {
  const columns = columnsOf(radios)
  if (key === 'Home') return 0
  if (key === 'End') return radios.length - 1
  const step = { ArrowLeft: -1, ArrowRight: 1, ArrowUp: -columns, ArrowDown: columns }[key] ?? 0
  const target = at + step
  return target < 0 || target >= radios.length ? at : target
}

function columnsOf(radios: HTMLElement[]): number {
  const top = radios[0]?.offsetTop
  const below = radios.findIndex((radio) => radio.offsetTop !== top)
  return below < 0 ? radios.length : below
}
