import { useSetAtom, useStore } from 'jotai'
import { startTransition, useCallback, useEffect, useRef, useState } from 'react'
import { hurriedAtom } from '../../atoms/hurry.ts'
import { createHurry } from '../../lib/photos/fast-scroll.ts'

/** Milliseconds without a scroll after which nobody hurries any more. */
const PAUSE = 100

/** Says while somebody hurries through the page (hurriedAtom). What it returns is to be told of each place that it is scrolled to, in pixels. */
export function useHurry(): (top: number, view: number) => void {
  const say = useSetAtom(hurriedAtom)
  const [judge] = useState(createHurry)
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined)
  useEffect(() => {
    return () => {
      clearTimeout(timer.current)
      say(false)
    }
  }, [say])
  return useCallback(
    (top, view) => {
      const hurried = judge(top, view, performance.now())
      say(hurried)
      clearTimeout(timer.current)
      if (hurried) timer.current = setTimeout(() => say(false), PAUSE)
    },
    [judge, say],
  )
}

/** Whether something has its picture: what appears while somebody hurries by gets it when they slow down. */
export function usePictured(): boolean {
  const store = useStore()
  const [pictured, setPictured] = useState(() => !store.get(hurriedAtom))
  useEffect(() => {
    if (pictured) return
    const look = () => store.get(hurriedAtom) || startTransition(() => setPictured(true))
    look()
    return store.sub(hurriedAtom, look)
  }, [pictured, store])
  return pictured
}
