import { base64url } from 'jose'
import { digest } from '../../contract/bytes.ts'

/** Random bytes in base64url; 256 bits by default. */
export const newSecret = (bytes = 32) => base64url.encode(crypto.getRandomValues(new Uint8Array(bytes)))

/** SHA-256 in hex, which is stored in place of the secret. Not a slow hash, because 128 random bits cannot be guessed. */
export const hashSecret = (secret: string) => digest(secret)
