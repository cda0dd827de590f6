import { brotliCompressSync } from 'node:zlib'

/** Paths of the scripts that a page asks for itself, with those that they import at once. */
export function firstScripts(html: string): Set<string> {
  return new Set([...html.matchAll(/(?:src|href)="([^"]+\.js)"/g)].map(([, path = '']) => path))
}

/** Bytes on the way to a browser. */
export function brotliSize(script: Buffer): number {
  return brotliCompressSync(script).length
}
