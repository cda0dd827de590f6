const MAX_LENGTH = 2048
/** Sign-in pages, which would cause a redirect loop, and API paths. */
const EXCLUDED = /^\/(login|register|api(\/.*)?)\/?$/

/**
 * Returns the path if it is a page of this app (`origin`) to which a redirect after sign-in is safe, else null. Browser and worker both use it,
 * when they store the path and again when they redirect.
 */
export function safeReturnPath(path: string, origin: string): string | null {
  if (path.length > MAX_LENGTH || !isLocal(path, origin)) return null
  const decoded = decode(path)
  if (decoded === null || !isLocal(decoded, origin)) return null
  return EXCLUDED.test(new URL(decoded, origin).pathname.toLowerCase()) ? null : path
}

function isLocal(path: string, origin: string): boolean {
  if (!/^\/(?![/\\])/.test(path) || /[\u0000-\u001f\u007f\\]/.test(path)) return false
  return URL.canParse(path, origin) && new URL(path, origin).origin === origin && !new URL(path, origin).pathname.startsWith('//')
}

function decode(path: string): string | null {
  try {
    return decodeURIComponent(path)
  } catch {
    return null
  }
}
