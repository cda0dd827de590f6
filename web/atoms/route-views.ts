import type { createStore } from 'jotai'
import type { createBrowserRouter } from 'react-router'
import { sessionUserIdAtom } from './session.ts'

type Store = ReturnType<typeof createStore>
type Router = Pick<ReturnType<typeof createBrowserRouter>, 'state' | 'subscribe'>

export interface RouteView {
  pathname: string
  /** Milliseconds since 1970. */
  at: number
  signedIn: boolean
}

export interface RouteViews {
  /** Gives the listener all views so far, and each later one. */
  follow(listener: (view: RouteView) => void): void
  end(): void
}

/** Parameters of the query that choose what is shown, and what is shown without them. The others move a map, name a day or filter. */
const SHOWN = { c: '', item: '', photo: '', view: 'month', zoom: 'day' }
/** Views kept until they are followed. */
const MAX_KEPT = 50

/** Records each view of a page from the start, once it is shown: analytics loads later, and a quick sign-in has left its first page by then. */
export function recordViews(app: Store, router: Router): RouteViews {
  const kept: RouteView[] = []
  let listener = (view: RouteView) => {
    if (kept.length < MAX_KEPT) kept.push(view)
  }
  let shown: string | undefined
  const record = () => {
    const { initialized, location, navigation } = router.state
    if (!initialized || navigation.state !== 'idle') return
    const search = new URLSearchParams(location.search)
    const now = JSON.stringify([location.pathname, ...Object.entries(SHOWN).map(([name, without]) => search.get(name) ?? without)])
    if (now === shown) return
    shown = now
    listener({ pathname: location.pathname, at: Date.now(), signedIn: app.get(sessionUserIdAtom) !== null })
  }
  const end = router.subscribe(record)
  record()
  return {
    follow(next) {
      for (const view of kept.splice(0)) next(view)
      listener = next
    },
    end,
  }
}
