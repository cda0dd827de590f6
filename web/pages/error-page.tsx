import { useAtomValue, useSetAtom } from 'jotai'
import { useEffect, useEffectEvent } from 'react'
import { isRouteErrorResponse, useRevalidator, useRouteError } from 'react-router'
import { say } from '#language'
import { t } from '#say'
import { Trans } from '#say/react'
import { ensureSessionAtom, visitorAtom } from '../atoms/session.ts'
import { ApiError } from '../lib/api.ts'
import { backOff } from '../lib/back-off.ts'
import { isCrawler } from '../lib/crawlers.ts'
import { PATHS } from '../lib/links.ts'
import { isLoadFailure, LOAD_FAILURE } from '../lib/load-failure.ts'
import { Button } from '../ui/button.tsx'
import { ButtonLink } from '../ui/button-link.tsx'
import { cx } from '../ui/cx.ts'
import { Mark } from '../ui/mark.tsx'

interface Shown {
  /** Null when there was no response. */
  status: number | null
  message: string | null
  /** Instead of the title: of a missing page it has the path. */
  heading?: string | undefined
  /** The page retries by itself. */
  waits?: boolean
  /** "Try again" reruns the page's loaders, or reloads everything from the server. */
  retry: 'revalidate' | 'reload' | null
  /** For reports, when the server failed. */
  requestId?: string | undefined
}

/** Texts for an error, with the status that chooses the page (500 unless it has one). */
function shownOf(error: unknown): Shown {
  if (isRouteErrorResponse(error)) {
    const { status, data } = error
    return typeof data === 'string'
      ? { status, message: data, retry: null }
      : { status, message: null, heading: data?.heading, retry: null }
  }
  if (error instanceof ApiError) {
    const offline = error.code === 'offline'
    const waits = offline || (error.code === 'unavailable' && error.status !== 500)
    const retry = error.code === 'gone' || error.code === 'unreadable' ? 'reload' : 'revalidate'
    const requestId = error.status >= 500 ? error.requestId : undefined
    return { status: offline ? null : error.status || 500, message: error.message, waits, retry, requestId }
  }
  if (isLoadFailure(error)) return { status: null, message: say(LOAD_FAILURE), waits: true, retry: 'reload' }
  return { status: 500, message: error instanceof Error ? error.message : null, retry: 'reload' }
}

function titleOf(status: number | null): string {
  return status === 404 ? t`Page Not Found` : t`Internal Server Error`
}

/** Milliseconds between two checks whether the server is back. */
const LOOK_AGAIN = { first: 1_000, max: 10_000, jitter: 500 }

/** Retries while the page waits for a connection: as soon as there is one, and at growing intervals. */
function useLookAgain(waiting: boolean, look: () => unknown) {
  const again = useEffectEvent(() => {
    if (document.visibilityState === 'visible') look()
  })
  useEffect(() => {
    if (!waiting) return
    let timer: ReturnType<typeof setTimeout>
    const wait = (failures: number) => {
      timer = setTimeout(
        () => {
          again()
          wait(failures + 1)
        },
        backOff(failures, Math.random(), LOOK_AGAIN),
      )
    }
    wait(1)
    addEventListener('online', again)
    return () => {
      removeEventListener('online', again)
      clearTimeout(timer)
    }
  }, [waiting])
}

/** For the whole window. Crawlers do not see it: the status of their response says what is wrong. */
export function ErrorPage() {
  if (isCrawler()) return null
  return (
    <main className="grid min-h-dvh place-items-center">
      <ErrorPanel />
    </main>
  )
}

/** The same inside the shell, which stays usable. */
export function ErrorPanel() {
  const { status, message, heading, waits = false, retry, requestId } = shownOf(useRouteError())
  const { revalidate, state } = useRevalidator()
  const title = titleOf(status)
  const visitor = useVisitor(status === 404)
  // Also for a part that failed to load: its route fetches it again, while a reload without a server would lose the page.
  useLookAgain(waits, () => state === 'idle' && void revalidate())
  return (
    <div className="grid place-items-center px-6 py-20">
      <title>{t`${title} · Cairn`}</title>
      <div className="grid max-w-md justify-items-center text-center">
        {status === 404 ? <ScatteredStones /> : <Mark size={56} />}
        {status !== null && <p className="mt-8 text-sm font-medium text-muted tabular-nums">{status}</p>}
        <h1 className={cx('max-w-full text-xl font-semibold wrap-anywhere text-balance', status === null ? 'mt-8' : 'mt-1')}>
          {heading ?? title}
        </h1>
        {message && <p className="mt-2 break-words text-pretty text-muted">{message}</p>}
        {requestId && (
          <p className="mt-3 text-xs text-muted">
            <Trans>
              If this keeps happening, send the site’s operator this request number:{' '}
              <code className="select-all break-all">{requestId}</code>
            </Trans>
          </p>
        )}
        <div className="mt-8 flex flex-wrap justify-center gap-2">
          {retry && (
            <Button
              variant="primary"
              icon="refresh"
              loading={state === 'loading'}
              onClick={() => (retry === 'reload' ? location.reload() : void revalidate())}
            >
              <Trans>Try again</Trans>
            </Button>
          )}
          <ButtonLink
            to={visitor ? PATHS.login : PATHS.collections}
            reloadDocument={retry === 'reload'}
            variant={retry ? 'secondary' : 'primary'}
          >
            {visitor ? t`Sign in` : t`Go to your collections`}
          </ButtonLink>
          <ButtonLink to={PATHS.home} reloadDocument>
            <Trans context="page">Home</Trans>
          </ButtonLink>
        </div>
      </div>
    </div>
  )
}

/** Whether the reader is a visitor. Written pages do not ask for the session, so a missing one does. */
function useVisitor(asks: boolean): boolean {
  const ensureSession = useSetAtom(ensureSessionAtom)
  useEffect(() => {
    if (asks) void ensureSession().catch(() => undefined)
  }, [asks, ensureSession])
  return useAtomValue(visitorAtom)
}

function ScatteredStones() {
  return (
    <svg viewBox="5 0 120 56" width={150} aria-hidden="true" className="fill-accent">
      <ellipse cx="40" cy="44" rx="22" ry="9" />
      <ellipse cx="82" cy="46" rx="13" ry="6.5" opacity=".8" transform="rotate(-8 82 46)" />
      <ellipse cx="105" cy="49" rx="7.5" ry="4.6" opacity=".6" />
    </svg>
  )
}
