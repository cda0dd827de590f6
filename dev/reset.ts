import { existsSync } from 'node:fs'
import { rm } from 'node:fs/promises'
import path from 'node:path'
import { createInterface } from 'node:readline/promises'
import { stopLeftover } from './postgres.ts'
import { recordedHome } from './postgres-home.ts'
import { SetupError } from './setup-error.ts'
import { lockStateFolder } from './stack-lock.ts'

/** Deletes all of Cairn's data after confirmation; false if the user declined. */
export async function reset(dir: string, yes: boolean): Promise<boolean> {
  if (!existsSync(dir)) return true
  const unlock = await lockStateFolder(dir, 'another terminal')
  try {
    if (!yes && !(await confirmed(`This removes every account, post and file that Cairn keeps in ${dir}. Type yes to go on: `)))
      return false
    const home = await recordedHome(dir)
    await stopLeftover(path.join(home, 'postgres'))
    if (home !== dir) await rm(home, { recursive: true, force: true })
    await rm(dir, { recursive: true, force: true, maxRetries: 3 })
    return true
  } finally {
    await unlock()
  }
}

async function confirmed(question: string): Promise<boolean> {
  if (!process.stdin.isTTY) throw new SetupError('Nobody is there to be asked: say --yes after --reset to remove all that Cairn keeps.')
  const terminal = createInterface({ input: process.stdin, output: process.stdout })
  const closed = new Promise<string>((resolve) => terminal.once('close', () => resolve('no')))
  const answer = await Promise.race([terminal.question(question), closed])
  terminal.close()
  return answer.trim().toLowerCase() === 'yes'
}
