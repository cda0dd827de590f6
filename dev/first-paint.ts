import { createHash } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import path from 'node:path'

/** The address of web/public/first-paint.js names what is in it, so that whoever has kept it need not ask for it again. */
export async function firstPaintPath(folder: string): Promise<string> {
  const script = await readFile(path.join(folder, 'first-paint.js'))
  return `/first-paint.js?${createHash('sha256').update(script).digest('hex').slice(0, 8)}`
}
