import { CompactEncrypt, compactDecrypt } from 'jose'

export interface SessionKey {
  kid: string
  key: Uint8Array
}

/** Parses SESSION_KEYS: `kid:base64,…`, newest first. */
export function parseSessionKeys(text: string): SessionKey[] {
  return text.split(',').map((entry) => {
    const [kid = '', base64 = ''] = entry.trim().split(':')
    const bytes = atob(base64.replaceAll('-', '+').replaceAll('_', '/'))
    return { kid, key: Uint8Array.from(bytes, (char) => char.charCodeAt(0)) }
  })
}

/** Encrypts as JWE with the newest key, whose `kid` is in the header. */
export async function seal(content: unknown, keys: readonly SessionKey[]): Promise<string> {
  const newest = keys[0]
  if (!newest) throw new Error('SESSION_KEYS is empty')
  return new CompactEncrypt(new TextEncoder().encode(JSON.stringify(content)))
    .setProtectedHeader({ alg: 'dir', enc: 'A256GCM', kid: newest.kid })
    .encrypt(newest.key)
}

/** Null if it was not sealed with one of these keys. `retired`: not with the newest, so it should be sealed again. */
export async function unseal(sealed: string, keys: readonly SessionKey[]): Promise<{ content: unknown; retired: boolean } | null> {
  let kid: string | undefined
  try {
    const { plaintext } = await compactDecrypt(
      sealed,
      (header) => {
        kid = header.kid
        const known = keys.find((key) => key.kid === kid)
        if (!known) throw new Error('unknown key')
        return known.key
      },
      { keyManagementAlgorithms: ['dir'], contentEncryptionAlgorithms: ['A256GCM'] },
    )
    return { content: JSON.parse(new TextDecoder().decode(plaintext)), retired: kid !== keys[0]?.kid }
  } catch {
    return null
  }
}
