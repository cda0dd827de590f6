import type { createStore } from 'jotai'
import { getAnalyticsConfig } from '../../contract/analytics.ts'
import type { Analytics, Person } from '../lib/analytics/analytics.ts'
import { forgetVisitorId } from '../lib/analytics/visitor-id.ts'
import { call } from '../lib/api.ts'
import { profileAtom } from './profile.ts'
import type { RouteViews } from './route-views.ts'
import { sessionConfirmedAtom, sessionUserAtom } from './session.ts'

type Store = ReturnType<typeof createStore>

/** Counts page views and identifies the user, if the site has analytics and the browser does not object. */
export async function followAnalytics(app: Store, views: RouteViews): Promise<void> {
  const config = wantsNoTracking() ? null : (await call(getAnalyticsConfig)).analytics
  if (!config) {
    views.end()
    return forgetVisitorId()
  }
  const { startAnalytics } = await import('../lib/analytics/analytics.ts')
  const analytics = startAnalytics(config)
  const identify = followPerson(app, analytics)
  views.follow((view) => {
    // Views before a sign-in are still those of a visitor.
    if (view.signedIn) identify()
    analytics.pageview(location.origin + view.pathname, view.at)
  })
  identify()
}

/** Identifies the user after sign-in and after a change of name; resets after sign-out. Returns a function that does so at once. */
function followPerson(app: Store, analytics: Analytics): () => void {
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
  return follow
}

function personOf(app: Store): Person | null {
  const user = app.get(sessionConfirmedAtom) ? app.get(sessionUserAtom) : null
  if (!user) return null
  const profile = app.get(profileAtom)
  const { email, firstName, lastName } = profile?.id === user.id ? profile : user
  return { id: user.id, email: email ?? user.email, firstName: firstName ?? null, lastName: lastName ?? null }
}

/** Whether this browser asks not to be tracked: Do Not Track, or Global Privacy Control. */
function wantsNoTracking(browser: Navigator = navigator): boolean {
  // Neither is in the platform's types: one is deprecated, one too new.
  const { doNotTrack, globalPrivacyControl } = browser as Navigator & { globalPrivacyControl?: boolean }
  return globalPrivacyControl === true || doNotTrack === '1' || doNotTrack === 'yes'
}
