import { useEffect } from 'react'
import { tellDrawn } from '../lib/first-render.ts'

/** Tells what waits for it that a view has drawn `some` of what it shows. */
export function useTellDrawn(some: boolean): void {
  useEffect(() => {
    if (some) tellDrawn()
  }, [some])
}
