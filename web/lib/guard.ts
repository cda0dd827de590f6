import { GUARD, type GuardOptions } from '../../contract/guard.ts'

/** Whether a path matches a pattern, in which `*` matches anything. */
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
