import { parseArgs } from 'node:util'
import { messageOf, SetupError } from '../setup-error.ts'
import { PROJECT } from '../state-folder.ts'
import { check, deploy, rollBack } from './deploy.ts'
import { newKeys } from './keys.ts'
import { readSettings } from './settings.ts'
import { wrangler } from './wrangler.ts'

const USAGE = `npm run deploy                          migrate the database, then put this code on Cloudflare
npm run deploy -- --check               check the settings alone
npm run deploy -- --dry-run             check the settings and build, without any account
npm run deploy -- --rollback [version]  put the worker's earlier version back
  … --with-secrets                      … with the secrets that it had, if they have changed since
npm run --silent deploy -- --keys       print the first keys for .env.deploy
npm run --silent deploy -- --keys k2    … another session key, in front of those that are there
npm run --silent deploy -- --keys party … the key that a PartyKit host is published to with`

process.chdir(PROJECT)
try {
  const { values, positionals } = options()
  if (values.help) console.log(USAGE)
  else if (values.keys) console.log(newKeys(await readSettings(), positionals[0]))
  else if (values.check) check(await readSettings(), console.log)
  else if (values.rollback) await rollBack({ wrangler, version: positionals[0], withSecrets: values['with-secrets'], log: console.log })
  else await deploy({ settings: await readSettings(), dryRun: values['dry-run'], wrangler, log: console.log })
} catch (error) {
  console.error(error instanceof SetupError ? `\n${error.message}` : error)
  process.exitCode = 1
}

function options() {
  const flag = { type: 'boolean', default: false } as const
  try {
    const flags = { check: flag, 'dry-run': flag, rollback: flag, 'with-secrets': flag, keys: flag, help: flag }
    return parseArgs({ allowPositionals: true, options: flags })
  } catch (error) {
    throw new SetupError(`${messageOf(error).split('.')[0]}. What there is:\n${USAGE}`)
  }
}
