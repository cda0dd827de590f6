import { brotliCompressSync } from 'node:zlib'

/** Paths of the app's scripts in index.html. */
export function firstScripts(html: string): string[] {
  return [...html.matchAll(/<(?:script type="module"|link rel="modulepreload")[^>]*(?:src|href)="([^"]+)"/g)].map(([, file = '']) => file)
}

/** Bytes of a script on the network. */
export function brotliSize(script: Buffer): number {
  return brotliCompressSync(script).length
}
