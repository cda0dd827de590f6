import { execFile } from 'node:child_process'
import { readFile } from 'node:fs/promises'
import path from 'node:path'
import { promisify } from 'node:util'
import { z } from 'zod'

const Package = z.object({ version: z.string() })

/** The worker's release name: the version of package.json and, in a checkout, the commit, such as `0.1.0+1a2b3c4`. */
export async function releaseName(folder: string): Promise<string> {
  const { version } = Package.parse(JSON.parse(await readFile(path.join(folder, 'package.json'), 'utf8')))
  const commit = await commitOf(folder)
  return commit ? `${version}+${commit}` : version
}

/** Null without git, and for a copy inside another project's checkout. */
async function commitOf(folder: string): Promise<string | null> {
  try {
    const { stdout } = await promisify(execFile)('git', ['rev-parse', '--show-prefix', '--short', 'HEAD'], { cwd: folder })
    const [prefix, commit] = stdout.split('\n')
    return commit && !prefix ? commit : null
  } catch {
    return null
  }
}
