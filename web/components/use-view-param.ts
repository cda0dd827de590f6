import { useCallback } from 'react'
import { type NavigateFunction, useLocation, useNavigate, useSearchParams } from 'react-router'

/** `push` makes a step that Back takes back: a filter, another month. `replace` is for what changes while one looks: panning, zooming, typing. */
export type Step = 'push' | 'replace'
/** Names of the address and their new values; null takes the name away. */
export type AddressChange = Record<string, string | null>

/** Milliseconds for which replacements are gathered: browsers refuse more than about ten a second. */
const GATHER = 250

/** What was asked for and does not stand in the address yet, so that two changes at once do not undo each other. */
const waiting = { path: '', change: {} as AddressChange, timer: undefined as ReturnType<typeof setTimeout> | undefined }

/**
 * One named part of a view's state in the address, as in `?at=48.2,16.4,7`, so that it survives a reload, Back and a shared link.
 * `parse` is given what somebody may have typed into the address and returns null for what it does not know; `format` writes a value
 * back. Both must be stable. The value is that of the address: a replacement arrives there up to 250 ms late, so what moves with
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
    (value: T | null, step: Step) => change({ [name]: value === null ? null : format(value) }, step),
    [change, name, format],
  )
  return [text === null ? null : parse(text), set]
}

/** Changes parts of the address of the page that is shown; what is not named stays. The page is not scrolled by it. */
export function useAddress(): (change: AddressChange, step: Step) => void {
  const navigate = useNavigate()
  const { pathname, state } = useLocation()
  return useCallback(
    (change: AddressChange, step: Step) => {
      if (waiting.path !== pathname) waiting.change = {}
      waiting.path = pathname
      Object.assign(waiting.change, change)
      clearTimeout(waiting.timer)
      if (step === 'push') void go(navigate, step, null)
      else waiting.timer = setTimeout(() => void go(navigate, step, state), GATHER)
    },
    [navigate, pathname, state],
  )
}

async function go(navigate: NavigateFunction, step: Step, state: unknown): Promise<void> {
  const { pathname, search, hash } = window.location
  // Another page is shown by now.
  if (waiting.path !== pathname) return
  const asked = { ...waiting.change }
  const next = changed(search, asked)
  if (next !== search) await navigate({ search: next, hash }, { replace: step === 'replace', preventScrollReset: true, state })
  for (const [name, value] of Object.entries(asked)) if (waiting.change[name] === value) delete waiting.change[name]
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
