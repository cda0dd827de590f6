import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { gzipSync } from 'node:zlib'
import { SetupError } from '../setup-error.ts'
import { mustRun, type Wrangler } from './wrangler.ts'

/** Bytes after gzip. The limit of a free account is 3 MB, but a small worker starts faster. */
const BUNDLE_LIMIT = 1_200_000

/** Lets wrangler bundle the worker for deployment, without an account. Returns its size after gzip in bytes. */
export async function bundleSize(run: Wrangler): Promise<number> {
  const folder = await mkdtemp(path.join(tmpdir(), 'cairn-bundle-'))
  try {
    await mustRun(run, ['deploy', '--dry-run', '--minify', '--outdir', folder], 'The bundle of the worker')
    const size = gzipSync(await readFile(path.join(folder, 'index.js'))).length
    if (size > BUNDLE_LIMIT)
      throw new SetupError(`The worker is ${kilobytes(size)} after gzip, and must not be above ${kilobytes(BUNDLE_LIMIT)}.`)
    return size
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

export function kilobytes(bytes: number): string {
  return `${Math.round(bytes / 1000)} KB`
}
