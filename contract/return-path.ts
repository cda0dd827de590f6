const MAX_LENGTH = 2048
/** Pages that would lead round in a circle, and everything that is no page. */
const NEVER = /^\/(login|register|api(\/.*)?)\/?$/

/**
 * The path if it leads into this app (`origin`) and not round in a circle, else null. The one judge of where a visitor is
 * sent after signing in: asked when the path is remembered and again when it is used, by browser and worker.
 */
export function safeReturnPath(path: string, origin: string): string | null {
  if (path.length > MAX_LENGTH || !isLocal(path, origin)) return null
  const decoded = decode(path)
  if (decoded === null || !isLocal(decoded, origin)) return null
  return NEVER.test(new URL(decoded, origin).pathname.toLowerCase()) ? null : path
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
