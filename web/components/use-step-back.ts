import { useCallback } from 'react'
import { useNavigate } from 'react-router'

/** The browser takes a moment to leave a history entry. */
let leaving = false

/** Undoes the history entry that added `name` to the URL, once: a second Esc before the page has followed must not undo another entry. */
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
