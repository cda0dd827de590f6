import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { messageOf, SetupError } from '../setup-error.ts'
import { PROJECT } from '../state-folder.ts'
import { type Cloud, listBranches, listBuckets, listPreviews } from './cloud.ts'
import { isPreviewName, previewBucket, previewName, wranglerConfig } from './preview-name.ts'

/** Branches of the repository that this checkout was cloned from. */
export async function remoteBranches(): Promise<string[]> {
  const git = promisify(execFile)('git', ['ls-remote', '--heads', 'origin'], {
    cwd: PROJECT,
    env: { ...process.env, GIT_TERMINAL_PROMPT: '0' },
  })
  const { stdout } = await git.catch((error: unknown) => {
    throw new SetupError(`The branches of the repository cannot be listed, so no preview was judged: ${messageOf(error).trim()}`)
  })
  return [...stdout.matchAll(/\trefs\/heads\/(.+)$/gm)].map(([, branch = '']) => branch)
}

/** Names previews whose branch is gone, with their parts. Removes nothing: a mistake here must not cost data. */
export async function checkPreviews(cloud: Cloud, branches: string[], log: (line: string) => void): Promise<void> {
  const { name: worker } = await wranglerConfig()
  const prefix = previewBucket(worker, '')
  const [databases, buckets, previews] = await Promise.all([listBranches(cloud), listBuckets(cloud, prefix), listPreviews(cloud, worker)])
  const parts: Record<string, string[]> = {
    database: databases,
    bucket: buckets.map((bucket) => bucket.slice(prefix.length)),
    worker: previews,
  }
  const wanted = new Set(branches.map(previewName))
  const left = [...new Set(Object.values(parts).flat())].filter((name) => isPreviewName(name) && !wanted.has(name)).toSorted()
  for (const name of left) {
    const kinds = Object.keys(parts).filter((kind) => parts[kind]?.includes(name))
    log(`✗ ${name} (${kinds.join(', ')}): its branch is gone. "npm run preview -- close --name ${name}" removes it`)
  }
  if (left.length > 0) throw new SetupError(`${left.length === 1 ? 'One preview is' : `${left.length} previews are`} left over.`)
  log('✓ every preview has its branch')
}
