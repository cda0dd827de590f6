const bytes = (text: string) => new TextEncoder().encode(text)

/** Derives a key for one purpose from a secret that is used for several. */
export async function deriveKey(secret: string, purpose: string): Promise<Uint8Array> {
  const key = await crypto.subtle.importKey('raw', bytes(secret), 'HKDF', false, ['deriveBits'])
  return new Uint8Array(
    await crypto.subtle.deriveBits({ name: 'HKDF', hash: 'SHA-256', salt: new Uint8Array(32), info: bytes(purpose) }, key, 256),
  )
}

/** Prefix of keys from dev/secrets.ts, which are in files on a developer's machine and must not protect a real site. */
const LOCAL_KEY = 'local1:'

/**
 * Checks that a secret can protect a site: base64 or base64url of at least 32 bytes that are hard to guess. Returns null, or the reason against
 * it, which continues a sentence that begins with the secret's name.
 */
export function keyProblem(secret: string): string | null {
  if (secret.startsWith(LOCAL_KEY)) return "is a key of a developer's machine. Make one of your own"
  const key = decoded(secret)
  if (!key || key.length < 32) return 'is base64 of 32 bytes'
  if (isGuessable(key)) return 'is too easy to guess: make 32 random bytes, as "npm run --silent deploy -- --keys" prints them'
  return null
}

function decoded(secret: string): Uint8Array | null {
  try {
    return Uint8Array.from(atob(secret.replaceAll('-', '+').replaceAll('_', '/')), (char) => char.charCodeAt(0))
  } catch {
    return null
  }
}

/** Few different bytes, plain text, or bytes that count up or down. 32 random bytes look so once in 10¹² times at most. */
function isGuessable(key: Uint8Array): boolean {
  const step = (key[1] ?? 0) - (key[0] ?? 0)
  return (
    new Set(key).size < 20 ||
    key.every((byte) => byte >= 0x20 && byte < 0x7f) ||
    key.every((byte, at) => at === 0 || byte === (((key[at - 1] ?? 0) + step) & 0xff))
  )
}
