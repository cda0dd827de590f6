import type { createStore } from 'jotai'
import type { createBrowserRouter } from 'react-router'
import { getAnalyticsConfig } from '../../contract/analytics.ts'
import type { Analytics, Person } from '../lib/analytics/analytics.ts'
import { call } from '../lib/api.ts'
import { profileAtom } from './profile.ts'
import { sessionConfirmedAtom, sessionUserAtom } from './session.ts'

type Store = ReturnType<typeof createStore>
type Router = ReturnType<typeof createBrowserRouter>

/** Counts page views and identifies the user, if the site has analytics and the browser does not object. */
export async function followAnalytics(app: Store, router: Router): Promise<void> {
  if (wantsNoTracking()) return
  const { analytics: config } = await call(getAnalyticsConfig)
  if (!config) return
  const { startAnalytics } = await import('../lib/analytics/analytics.ts')
  const analytics = startAnalytics(config)
  followPerson(app, analytics)
  followRoutes(router, analytics)
}

/** Identifies the user after sign-in and after a change of name; resets after sign-out. */
function followPerson(app: Store, analytics: Analytics): void {
  let sent = ''
  const follow = () => {
    const person = personOf(app)
    const now = person ? JSON.stringify(person) : ''
    if (now === sent) return
    sent = now
    if (person) analytics.identify(person)
    else analytics.reset()
  }
  app.sub(sessionUserAtom, follow)
  app.sub(sessionConfirmedAtom, follow)
  app.sub(profileAtom, follow)
  follow()
}

function personOf(app: Store): Person | null {
  const user = app.get(sessionConfirmedAtom) ? app.get(sessionUserAtom) : null
  if (!user) return null
  const profile = app.get(profileAtom)
  const { email, firstName, lastName } = profile?.id === user.id ? profile : user
  return { id: user.id, email: email ?? user.email, firstName: firstName ?? null, lastName: lastName ?? null }
}

/** After every route change, once the page is shown. */
function followRoutes(router: Router, analytics: Analytics): void {
  let shown: string | undefined
  const follow = () => {
    const { initialized, location: at, navigation } = router.state
    if (!initialized || navigation.state !== 'idle' || at.pathname === shown) return
    shown = at.pathname
    analytics.pageview(location.origin + at.pathname)
  }
  router.subscribe(follow)
  follow()
}

/** Whether this browser asks not to be tracked: Do Not Track, or Global Privacy Control. */
function wantsNoTracking(browser: Navigator = navigator): boolean {
  // Neither is in the platform's types: one is deprecated, one too new.
  const { doNotTrack, globalPrivacyControl } = browser as Navigator & { globalPrivacyControl?: boolean }
  return globalPrivacyControl === true || doNotTrack === '1' || doNotTrack === 'yes'
}
