import path from 'node:path'
import { SetupError } from '../setup-error.ts'
import { STATE_FOLDER } from '../state-folder.ts'
import { restoreDeployed, restoreLocal, summary } from './backup.ts'

try {
  const [given] = process.argv.slice(2)
  if (!given) throw new SetupError('Name the folder of a backup: "npm run restore -- <folder>".')
  const folder = path.resolve(given)
  const { DATABASE_URL } = process.env
  const manifest = await (DATABASE_URL ? restoreDeployed(DATABASE_URL, folder) : restoreLocal(STATE_FOLDER, folder))
  console.log(`✓ restored ${summary(manifest)}. Everybody signs in anew.`)
  if (DATABASE_URL) console.log('  The objects of the bucket are copied by themselves: see docs/deploy.md.')
} catch (error) {
  console.error(error instanceof SetupError ? error.message : error)
  process.exitCode = 1
}
