import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { commandOf } from './processes.ts'
import { lockStateFolder } from './stack-lock.ts'

let dir: string
beforeEach(async () => {
  dir = await mkdtemp(path.join(tmpdir(), 'cairn-test-'))
})
afterEach(() => rm(dir, { recursive: true, force: true }))

const heldBy = async (pid: number) =>
  writeFile(path.join(dir, 'running.json'), JSON.stringify({ pid, command: await commandOf(pid), origin: 'http://127.0.0.1:4747' }))

test('Cairn starts again in a container that was killed, where it gets the same process id', async () => {
  await heldBy(process.pid)
  await (await lockStateFolder(dir, 'http://127.0.0.1:4747'))()
})

test('Cairn does not start beside another process that runs it', async () => {
  await heldBy(process.ppid)
  await expect(lockStateFolder(dir, 'http://127.0.0.1:4747')).rejects.toThrow(`(process ${process.ppid})`)
})
