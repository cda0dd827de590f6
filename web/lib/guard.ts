import { PATHS } from './links.ts'

/** Patterns of paths that need no session; `*` matches anything. */
export interface GuardOptions {
  include: readonly string[]
  exclude: readonly string[]
  login: string
  callback: string
}

const GUARD: GuardOptions = {
  include: [PATHS.home],
  exclude: [PATHS.register, PATHS.forgotPassword, PATHS.resetPassword],
  login: PATHS.login,
  callback: PATHS.callback,
}

export function matches(pattern: string, path: string): boolean {
  const source = pattern
    .split('*')
    .map((part) => part.replace(/[.+?^${}()|[\]\\]/g, '\\$&'))
    .join('.*')
  return new RegExp(`^${source}/?$`).test(path)
}

/** Whether a visitor without a session has to sign in to see this path. */
export function needsSession(path: string, options: GuardOptions = GUARD): boolean {
  const open = [...options.include, ...options.exclude, options.login, options.callback]
  return !open.some((pattern) => matches(pattern, path))
}
