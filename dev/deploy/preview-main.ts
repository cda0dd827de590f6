import { messageOf, SetupError } from '../setup-error.ts'
import { PROJECT } from '../state-folder.ts'
import { cloudOf } from './cloud.ts'
import { closePreview, openPreview } from './preview.ts'
import { wrangler } from './wrangler.ts'

process.chdir(PROJECT)
try {
  const [action, branch] = process.argv.slice(2)
  if (!branch || (action !== 'open' && action !== 'close'))
    throw new SetupError('Say "npm run preview -- open <branch>" or "… close <branch>".')
  const preview = { branch, cloud: cloudOf(process.env), wrangler, log: console.log }
  await (action === 'open' ? openPreview(preview) : closePreview(preview))
} catch (error) {
  console.error(error instanceof SetupError ? `\n${error.message}` : messageOf(error))
  process.exitCode = 1
}
