import { appendFile } from 'node:fs/promises'
import { parseArgs } from 'node:util'
import { messageOf, SetupError } from '../setup-error.ts'
import { PROJECT } from '../state-folder.ts'
import { checkPreviews, remoteBranches } from './check-previews.ts'
import { cloudOf } from './cloud.ts'
import { closePreview, LACKS, MAP_SETTINGS, type OpenedPreview, openPreview, showPreview } from './preview.ts'
import { callsOf } from './preview-calls.ts'
import { isPreviewName, previewName } from './preview-name.ts'
import { wrangler } from './wrangler.ts'

const USAGE = `npm run preview -- open <branch>         make or update the preview of a branch
npm run preview -- show <branch>         print its address and, on a terminal, its key
npm run preview -- close <branch>        remove it with its data
npm run preview -- close --name <name>   … by the name that "check" prints
npm run preview -- check                 name previews whose branch is gone`

process.chdir(PROJECT)
try {
  await main()
} catch (error) {
  console.error(error instanceof SetupError ? `\n${error.message}` : messageOf(error))
  process.exitCode = 1
}

async function main(): Promise<void> {
  const { action, name } = options()
  const cloud = cloudOf(process.env)
  const preview = { name, cloud, wrangler, log: console.log, map: mapSettings() }
  if (action === 'check') return checkPreviews(cloud, await remoteBranches(), console.log)
  if (action === 'close') return closePreview(preview)
  if (action === 'show') return say(await showPreview(cloud, name))
  const opened = await openPreview(preview)
  // Shown by GitHub at the deployment and on the pull request.
  if (process.env.GITHUB_OUTPUT) await appendFile(process.env.GITHUB_OUTPUT, `url=${opened.origin}\n`)
  say(opened)
}

function options(): { action: string; name: string } {
  const { positionals, values } = parse()
  const [action = '', branch] = positionals
  const name = values.name ?? (branch ? previewName(branch) : '')
  const known = action === 'check' || (['open', 'show', 'close'].includes(action) && name)
  if (!known) throw new SetupError(`What there is:\n${USAGE}`)
  if (values.name !== undefined && !isPreviewName(values.name))
    throw new SetupError(`"${values.name}" is not the name of a preview, which ends in six characters of a hash.`)
  return { action, name }
}

function parse() {
  try {
    return parseArgs({ allowPositionals: true, options: { name: { type: 'string' } } })
  } catch (error) {
    throw new SetupError(`${messageOf(error).split('.')[0]}. What there is:\n${USAGE}`)
  }
}

function mapSettings(): Record<string, string> {
  return Object.fromEntries(MAP_SETTINGS.flatMap((name) => (process.env[name] ? [[name, process.env[name]]] : [])))
}

function say(opened: OpenedPreview): void {
  console.log(
    ['', `Preview: ${opened.origin}`, 'What it lacks:', ...LACKS.map((line) => `- ${line}`), '', ...callsOf(opened, isTerminal())].join(
      '\n',
    ),
  )
}

/** A log of CI is kept and read by many. */
function isTerminal(): boolean {
  return process.stdout.isTTY === true && !process.env.CI
}
