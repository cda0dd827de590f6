import { readFile, rm, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { z } from 'zod'
import { commandOf, isAlive } from './processes.ts'
import { errorCode, SetupError } from './setup-error.ts'

const Holder = z.object({ pid: z.number(), command: z.string(), origin: z.string() })

/** Ensures that one state folder is used by one stack at a time. Returns a function that releases the lock. */
export async function lockStateFolder(dir: string, origin: string): Promise<() => Promise<void>> {
  const file = path.join(dir, 'running.json')
  const own = JSON.stringify({ pid: process.pid, command: await commandOf(process.pid), origin })
  for (;;) {
    try {
      await writeFile(file, own, { flag: 'wx' })
      return () => rm(file, { force: true })
    } catch (error) {
      if (errorCode(error) !== 'EEXIST') throw error
    }
    const holder = Holder.safeParse(await readJson(file)).data
    // Process ids repeat in a container, where an earlier start that was killed may have had this one.
    if (holder && holder.pid !== process.pid && isAlive(holder.pid) && (await commandOf(holder.pid)) === holder.command) {
      throw new SetupError(
        `Cairn already runs on this checkout at ${holder.origin} (process ${holder.pid}): use that one, or end it with Ctrl-C before you start again.`,
      )
    }
    await rm(file, { force: true })
  }
}

async function readJson(file: string): Promise<unknown> {
  try {
    return JSON.parse(await readFile(file, 'utf8'))
  } catch {
    return undefined
  }
}
