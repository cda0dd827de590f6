import { existsSync } from 'node:fs'
import { cp, mkdir, readdir, symlink } from 'node:fs/promises'
import path from 'node:path'
import { PROJECT } from './state-folder.ts'

/**
 * Copied, not linked: the tools find their state and settings relative to their own files, and copy the migrations folder, which must not
 * be a link then.
 */
const COPIED = ['dev', 'migrations']
const KEPT_APART = ['.git', '.cairn', '.env.deploy', 'wrangler.preview.json', 'dist']
/** The worker is bundled by each checkout for itself. */
const WEB_APP = ['dist/prerender', 'dist/web', 'dist/web.stamp']

/** For tests: a checkout with its own data and settings, and links to everything else. */
export async function makeOwnCheckout(folder: string): Promise<void> {
  await mkdir(folder)
  for (const name of COPIED) await cp(path.join(PROJECT, name), path.join(folder, name), { recursive: true })
  const others = (await readdir(PROJECT)).filter((name) => ![...COPIED, ...KEPT_APART].includes(name))
  await mkdir(path.join(folder, 'dist'))
  const built = WEB_APP.filter((name) => existsSync(path.join(PROJECT, name)))
  for (const name of [...others, ...built]) await symlink(path.join(PROJECT, name), path.join(folder, name))
}
