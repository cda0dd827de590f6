import { useCallback } from 'react'
import { type NavigateFunction, type NavigateOptions, useLocation, useNavigate, useSearchParams } from 'react-router'

/**
 * `push` adds a history entry: a filter, another month. `replace` adds none. `gather` adds none either, after a delay: for values that change
 * continuously, as by panning, zooming or typing.
 */
export type Step = 'push' | 'replace' | 'gather'
/** Search parameters and their new values; null removes one. */
export type UrlStateChange = Record<string, string | null>
/** Changes some search parameters and keeps the rest. Resolves when the URL has changed; at once for `gather`. */
export type ChangeUrlState = (change: UrlStateChange, step: Step, state?: unknown) => Promise<void>

/** Milliseconds for which replacements are gathered: browsers refuse more than about ten a second. */
const GATHER = 250

const gathered = { page: '', change: {} as UrlStateChange, timer: undefined as ReturnType<typeof setTimeout> | undefined }
/** Settled when no navigation is pending: the router would abort it for the next one. */
let made: Promise<void> = Promise.resolve()

/**
 * One search parameter that holds part of a view's state, as in `?at=48.2,16.4,7`, so that it survives a reload, Back and a shared link. `parse`
 * receives what the URL contains, which the user may have typed, and returns null for unknown values; `format` is its inverse. Both must be stable.
 * The returned value is that of the URL: gathered changes arrive there up to 250 ms late, so state that follows the pointer has to be kept
 * separately. Links between the views keep `?c=` and the filters, and nothing else.
 */
export function useViewParam<T>(
  name: string,
  parse: (text: string) => T | null,
  format: (value: T) => string = String,
): [value: T | null, set: (value: T | null, step: Step) => void] {
  const [search] = useSearchParams()
  const change = useChangeUrlState()
  const text = search.get(name)
  const set = useCallback(
    (value: T | null, step: Step) => void change({ [name]: value === null ? null : format(value) }, step),
    [change, name, format],
  )
  return [text === null ? null : parse(text), set]
}

/** For the URL of the current page, which keeps its scroll position. A step may carry a `state` for its history entry. */
export function useChangeUrlState(): ChangeUrlState {
  const navigate = useNavigate()
  const page = pageOf(useLocation())
  return useCallback(
    async (change: UrlStateChange, step: Step, state: unknown = null) => {
      const make = (change: UrlStateChange, how: NavigateOptions) => {
        made = made.catch(() => undefined).then(() => go(navigate, page, change, how))
        return made
      }
      clearTimeout(gathered.timer)
      const before = gathered.page === page ? gathered.change : {}
      if (step === 'gather') {
        Object.assign(gathered, { page, change: { ...before, ...change } })
        gathered.timer = setTimeout(() => {
          void make(gathered.change, { replace: true })
          gathered.change = {}
        }, GATHER)
        return
      }
      gathered.change = {}
      // Gathered changes belong to the entry that a step leaves.
      if (Object.keys(before).length > 0) void make(before, { replace: true })
      return make(change, step === 'push' ? { state } : { replace: true })
    },
    [navigate, page],
  )
}

/** A page with its collection: changes for one such URL mean nothing in another. */
export function pageOf({ pathname, search }: Pick<Location, 'pathname' | 'search'>): string {
  return `${pathname} ${new URLSearchParams(search).get('c')}`
}

async function go(navigate: NavigateFunction, page: string, change: UrlStateChange, how: NavigateOptions): Promise<void> {
  const { location, history } = window
  const search = changed(location.search, change)
  // Another page is shown by now, or there is nothing to change.
  if (pageOf(location) !== page || search === location.search) return
  // A new entry drops the hash of a link within the page; a replacement keeps hash and state.
  const entry = how.replace ? { hash: location.hash, state: history.state?.usr } : { hash: '', state: how.state }
  await navigate({ search, hash: entry.hash }, { replace: how.replace ?? false, preventScrollReset: true, state: entry.state })
}

export function changed(search: string, change: UrlStateChange): string {
  const params = new URLSearchParams(search)
  for (const [name, value] of Object.entries(change)) {
    if (value === null) params.delete(name)
    else params.set(name, value)
  }
  const text = params.toString()
  return text && `?${text}`
}
