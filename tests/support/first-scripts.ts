import { brotliCompressSync } from 'node:zlib'

/** Paths of the scripts of the app that index.html names. */
export function firstScripts(html: string): string[] {
  return [...html.matchAll(/<(?:script type="module"|link rel="modulepreload")[^>]*(?:src|href)="([^"]+)"/g)].map(([, file = '']) => file)
}

/** Bytes on the way to a browser. */
export function brotliSize(script: Buffer): number {
  return brotliCompressSync(script).length
}
