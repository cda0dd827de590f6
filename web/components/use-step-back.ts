import { useCallback } from 'react'
import { useNavigate } from 'react-router'

/** The browser takes a moment to leave an entry of its history. */
let leaving = false

/**
 * Takes back the step that put `name` into the address, once: a second Esc that comes before the page has followed the first must not
 * take back another.
 */
export function useStepBack(name: string): () => void {
  const navigate = useNavigate()
  return useCallback(() => {
    if (leaving || !new URLSearchParams(window.location.search).has(name)) return
    leaving = true
    const left = () => {
      leaving = false
    }
    window.addEventListener('popstate', left, { once: true })
    void navigate(-1)
  }, [navigate, name])
}
