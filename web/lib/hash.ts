import { createSHA256 } from 'hash-wasm'
import { hex } from '../../contract/bytes.ts'

/** Larger files are hashed piece by piece, so that memory stays flat whatever their size. Both in bytes. */
const WHOLE = 64 * 1024 ** 2
const PIECE = 4 * 1024 ** 2

/** SHA-256 in lower-case hex. `onProgress` receives the fraction done, from 0 to 1, for large files. */
export async function sha256(file: Blob, onProgress?: (share: number) => void): Promise<string> {
  if (file.size <= WHOLE) return hex(await crypto.subtle.digest('SHA-256', await file.arrayBuffer()))
  const hasher = await createSHA256()
  for (let start = 0; start < file.size; start += PIECE) {
    hasher.update(new Uint8Array(await file.slice(start, start + PIECE).arrayBuffer()))
    onProgress?.(Math.min(1, (start + PIECE) / file.size))
  }
  return hasher.digest('hex')
}
