import { useCallback } from 'react'
import { type NavigateFunction, type NavigateOptions, useLocation, useNavigate, useSearchParams } from 'react-router'

/**
 * `push` makes a step that Back takes back: a filter, another month. `replace` makes none. `gather` makes none either, a moment later: it is
 * for what changes while one looks, as by panning, zooming or typing.
 */
export type Step = 'push' | 'replace' | 'gather'
/** Names of the address and their new values; null takes the name away. */
export type AddressChange = Record<string, string | null>
/** Changes parts of an address, what is not named stays. Done when the address says so; at once where it is gathered. */
export type ChangeAddress = (change: AddressChange, step: Step, state?: unknown) => Promise<void>

/** Milliseconds for which replacements are gathered: browsers refuse more than about ten a second. */
const GATHER = 250

const gathered = { page: '', change: {} as AddressChange, timer: undefined as ReturnType<typeof setTimeout> | undefined }
/** Settled when no step is on its way: the router would give it up for the next one. */
let made: Promise<void> = Promise.resolve()

/**
 * One named part of a view's state in the address, as in `?at=48.2,16.4,7`, so that it survives a reload, Back and a shared link.
 * `parse` is given what somebody may have typed into the address and returns null for what it does not know; `format` writes a value
 * back. Both must be stable. The value is that of the address: what is gathered arrives there up to 250 ms late, so what moves with
 * the pointer keeps its own state meanwhile. Links between the views keep `?c=` and the filters, and nothing else.
 */
export function useViewParam<T>(
  name: string,
  parse: (text: string) => T | null,
  format: (value: T) => string = String,
): [value: T | null, set: (value: T | null, step: Step) => void] {
  const [search] = useSearchParams()
  const change = useAddress()
  const text = search.get(name)
  const set = useCallback(
    (value: T | null, step: Step) => void change({ [name]: value === null ? null : format(value) }, step),
    [change, name, format],
  )
  return [text === null ? null : parse(text), set]
}

/** For the address of the page that is shown, which is not scrolled by it. A step may bring a `state` for its entry in the history. */
export function useAddress(): ChangeAddress {
  const navigate = useNavigate()
  const page = pageOf(useLocation())
  return useCallback(
    async (change: AddressChange, step: Step, state: unknown = null) => {
      const make = (change: AddressChange, how: NavigateOptions) => {
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
      // What was gathered belongs to the entry that a step leaves.
      if (Object.keys(before).length > 0) void make(before, { replace: true })
      return make(change, step === 'push' ? { state } : { replace: true })
    },
    [navigate, page],
  )
}

/** A page, and the collection that it shows: what is written to one address means nothing in another. */
function pageOf({ pathname, search }: Pick<Location, 'pathname' | 'search'>): string {
  return `${pathname} ${new URLSearchParams(search).get('c')}`
}

async function go(navigate: NavigateFunction, page: string, change: AddressChange, how: NavigateOptions): Promise<void> {
  const { location, history } = window
  const search = changed(location.search, change)
  // Something else is shown by now, or there is nothing to change.
  if (pageOf(location) !== page || search === location.search) return
  // A step leaves where a link led within the page; what is only replaced stays the same entry.
  const entry = how.replace ? { hash: location.hash, state: history.state?.usr } : { hash: '', state: how.state }
  await navigate({ search, hash: entry.hash }, { replace: how.replace ?? false, preventScrollReset: true, state: entry.state })
}

/** A query with some names set or taken away, the others as they were. */
export function changed(search: string, change: AddressChange): string {
  const params = new URLSearchParams(search)
  for (const [name, value] of Object.entries(change)) {
    if (value === null) params.delete(name)
    else params.set(name, value)
  }
  const text = params.toString()
  return text && `?${text}`
}
