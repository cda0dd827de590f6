import { ExperimentsExtensions, FeatureFlagsExtensions } from 'posthog-js/dist/extension-bundles'
import { posthog } from 'posthog-js/dist/module.slim.no-external'
import type { AnalyticsConfig } from '../../../contract/analytics.ts'
import { exceptionOf, MAX_FRAMES, rageDetector, withoutQueries } from './events.ts'
import { renewVisitorId, visitorId } from './visitor-id.ts'

export interface Person {
  id: string
  email: string
  firstName: string | null
  lastName: string | null
}

export interface Analytics {
  /** `at` in milliseconds since 1970. */
  pageview(url: string, at: number): void
  identify(person: Person): void
  reset(): void
}

/** Limit of reported errors per visit; a loop would report the same one again and again. */
const MAX_ERRORS = 10

/** PostHog captures, records and stores nothing by itself, and loads no other script. Only the visitor id outlives the page. */
export function startAnalytics({ key, host }: AnalyticsConfig): Analytics {
  posthog.init(key, {
    api_host: host,
    persistence: 'memory',
    bootstrap: { distinctID: visitorId() },
    autocapture: false,
    rageclick: false,
    capture_pageview: false,
    capture_pageleave: false,
    capture_performance: false,
    capture_heatmaps: false,
    capture_dead_clicks: false,
    capture_exceptions: false,
    disable_session_recording: true,
    disable_surveys: true,
    disable_web_experiments: false,
    disable_external_dependency_loading: true,
    respect_dnt: true,
    before_send: (event) => event && { ...event, ...withoutQueries({ ...event }) },
    __extensionClasses: { ...FeatureFlagsExtensions, ...ExperimentsExtensions },
  })
  watchClicks()
  watchErrors()
  return {
    pageview: (url, at) => void posthog.capture('$pageview', { current_url: url }, { timestamp: new Date(at) }),
    identify: ({ id, ...person }) => posthog.identify(id, { ...person }),
    reset() {
      // With the id of the device.
      posthog.reset(true)
      renewVisitorId(posthog.get_distinct_id())
    },
  }
}

/** Reports the kind of element clicked and none of its text. */
function watchClicks(): void {
  const isRage = rageDetector()
  const onClick = ({ clientX: x, clientY: y, timeStamp: at, target }: MouseEvent) => {
    if (!isRage({ x, y, at })) return
    const element = target instanceof Element ? (target.closest('[role], button, a, input') ?? target) : null
    posthog.capture('$rageclick', { element: element?.localName, role: element?.getAttribute('role') ?? undefined })
  }
  addEventListener('click', onClick, { capture: true, passive: true })
}

function watchErrors(): void {
  // Only Chromium has this limit, 10 by default; it is missing in the platform's types.
  Object.assign(Error, { stackTraceLimit: MAX_FRAMES })
  let reported = 0
  const report = (error: unknown) => {
    if (error instanceof Error && reported++ < MAX_ERRORS) posthog.capture('$exception', exceptionOf(error))
  }
  addEventListener('error', ({ error }) => report(error))
  addEventListener('unhandledrejection', ({ reason }) => report(reason))
}
