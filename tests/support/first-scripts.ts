import { brotliCompressSync } from 'node:zlib'

/** Paths of the scripts of the app that a page begins with, in the order in which they are read. */
export function firstScripts(html: string): string[] {
  return /<meta name="cairn-start" content="([^"]+)"/.exec(html)?.[1]?.split(' ') ?? []
}

/** Bytes on the way to a browser. */
export function brotliSize(script: Buffer): number {
  return brotliCompressSync(script).length
}
