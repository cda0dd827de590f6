import { base64url } from 'jose'
import { joinBytes } from '../../contract/bytes.ts'

const text = new TextEncoder()

/** Push services refuse larger messages (RFC 8030). */
const MAX_BYTES = 3_000
const RECORD_SIZE = 4_096
/** Delimiter of the last record (RFC 8188). */
const LAST = 2

interface Receiver {
  /** base64url. */
  p256dh: string
  auth: string
}

/**
 * Encrypts a message for the subscribed browser as one record of `aes128gcm` (RFC 8291, RFC 8188). Throws for invalid keys. Implemented here,
 * because the libraries that run in workerd use an older draft.
 */
export async function encryptFor({ p256dh, auth }: Receiver, message: string): Promise<Uint8Array> {
  const content = text.encode(message)
  if (content.length > MAX_BYTES) throw new Error('The message is too long for a notification')
  const receiver = base64url.decode(p256dh)
  const own = (await crypto.subtle.generateKey({ name: 'ECDH', namedCurve: 'P-256' }, true, ['deriveBits'])) as CryptoKeyPair
  const sender = new Uint8Array((await crypto.subtle.exportKey('raw', own.publicKey)) as ArrayBuffer)
  const shared = await agree(own.privateKey, receiver)
  const secret = await hkdf(shared, {
    salt: base64url.decode(auth),
    info: joinBytes([text.encode('WebPush: info\0'), receiver, sender]),
    length: 32,
  })
  const salt = crypto.getRandomValues(new Uint8Array(16))
  const key = await hkdf(secret, { salt, info: text.encode('Content-Encoding: aes128gcm\0'), length: 16 })
  const iv = await hkdf(secret, { salt, info: text.encode('Content-Encoding: nonce\0'), length: 12 })
  const cipher = await crypto.subtle.importKey('raw', key, 'AES-GCM', false, ['encrypt'])
  const sealed = await crypto.subtle.encrypt({ name: 'AES-GCM', iv }, cipher, joinBytes([content, Uint8Array.of(LAST)]))
  return joinBytes([salt, uint32(RECORD_SIZE), Uint8Array.of(sender.length), sender, new Uint8Array(sealed)])
}

async function agree(privateKey: CryptoKey, receiver: Uint8Array): Promise<Uint8Array> {
  const publicKey = await crypto.subtle.importKey('raw', receiver, { name: 'ECDH', namedCurve: 'P-256' }, false, [])
  // `$public` is the runtime's own name for the standard's `public`; both are given.
  const algorithm = { name: 'ECDH', public: publicKey, $public: publicKey }
  return new Uint8Array(await crypto.subtle.deriveBits(algorithm as unknown as SubtleCryptoDeriveKeyAlgorithm, privateKey, 256))
}

async function hkdf(
  secret: Uint8Array,
  { salt, info, length }: { salt: Uint8Array; info: Uint8Array; length: number },
): Promise<Uint8Array> {
  const key = await crypto.subtle.importKey('raw', secret, 'HKDF', false, ['deriveBits'])
  return new Uint8Array(await crypto.subtle.deriveBits({ name: 'HKDF', hash: 'SHA-256', salt, info }, key, length * 8))
}

function uint32(value: number): Uint8Array {
  const bytes = new Uint8Array(4)
  new DataView(bytes.buffer).setUint32(0, value)
  return bytes
}
