import type { createStore } from 'jotai'
import type { createBrowserRouter } from 'react-router'
import { provokeCollecting } from '../lib/garbage.ts'
import { assetsAtom, contentCompleteAtom, postsAtom } from './content.ts'

/** Items from which it stops the page for longer than a frame may take. */
const MANY = 10_000
/** Milliseconds for what follows the arrival of the content, or another page. */
const SETTLE = 1_000

/** What the coming of a large collection and the opening of its views leave behind is collected before somebody scrolls (docs/decisions/028). */
export function followGarbage(app: ReturnType<typeof createStore>, router: ReturnType<typeof createBrowserRouter>): void {
  let timer: ReturnType<typeof setTimeout> | undefined
  const isMuch = () => app.get(contentCompleteAtom) && app.get(postsAtom).length + app.get(assetsAtom).length >= MANY
  const follow = () => {
    clearTimeout(timer)
    timer = setTimeout(() => isMuch() && provokeCollecting(), SETTLE)
  }
  app.sub(contentCompleteAtom, follow)
  let page = router.state.location.pathname
  router.subscribe(({ location: { pathname } }) => {
    if (pathname === page) return
    page = pathname
    follow()
  })
  follow()
}
