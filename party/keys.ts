const bytes = (text: string) => new TextEncoder().encode(text)

/** Derives a key for one purpose from a secret that is used for several. */
export async function deriveKey(secret: string, purpose: string): Promise<Uint8Array> {
  const key = await crypto.subtle.importKey('raw', bytes(secret), 'HKDF', false, ['deriveBits'])
  return new Uint8Array(
    await crypto.subtle.deriveBits({ name: 'HKDF', hash: 'SHA-256', salt: new Uint8Array(32), info: bytes(purpose) }, key, 256),
  )
}
