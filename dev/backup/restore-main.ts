import path from 'node:path'
import { parseArgs } from 'node:util'
import { reset } from '../reset.ts'
import { messageOf, SetupError } from '../setup-error.ts'
import { STATE_FOLDER } from '../state-folder.ts'
import { restoreDeployed, restoreLocal, summary } from './backup.ts'

const USAGE = `npm run restore -- <folder>                  bring a backup into an empty Cairn
npm run restore -- <folder> --reset [--yes]  … in place of all that Cairn keeps in .cairn`

try {
  const { values, folder } = options()
  const { DATABASE_URL } = process.env
  if (DATABASE_URL && values.reset) throw new SetupError('A deployed database is not removed from here: name an empty one.')
  const remove = values.reset ? () => reset(STATE_FOLDER, values.yes) : undefined
  const manifest = await (DATABASE_URL ? restoreDeployed(DATABASE_URL, folder) : restoreLocal(STATE_FOLDER, folder, remove))
  console.log(manifest ? `✓ restored ${summary(manifest)}. Everybody signs in anew.` : 'Nothing was removed, and nothing restored.')
  if (manifest) console.log(`  Tokens, calendar links and links for guests that were revoked since ${manifest.taken} are valid again.`)
  if (DATABASE_URL) console.log('  The objects of the bucket are copied by themselves: see docs/deploy.md.')
} catch (error) {
  console.error(error instanceof SetupError ? error.message : error)
  process.exitCode = 1
}

function options() {
  const flag = { type: 'boolean', default: false } as const
  try {
    const { values, positionals } = parseArgs({ allowPositionals: true, options: { reset: flag, yes: flag } })
    const [given] = positionals
    if (!given) throw new Error('A folder is missing')
    return { values, folder: path.resolve(given) }
  } catch (error) {
    throw new SetupError(`${messageOf(error).split('.')[0]}. What there is:\n${USAGE}`)
  }
}
