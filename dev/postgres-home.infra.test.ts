import { chmod, chown, mkdir, mkdtemp, rename, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { findPostgresHome } from './postgres-home.ts'
import { reset } from './reset.ts'
import { startStack } from './stack.ts'

const ANN = 12_345
const isRoot = process.getuid?.() === 0

let parent: string
let dir: string
/** Folders of databases outside of `dir`. */
const homes = new Set<string>()

beforeEach(async () => {
  parent = await mkdtemp(path.join(tmpdir(), 'cairn-test-'))
  dir = path.join(parent, '.cairn')
  await mkdir(dir)
  await open()
})
afterEach(async () => {
  for (const folder of [parent, ...homes]) await rm(folder, { recursive: true, force: true })
  homes.clear()
})

/** The folder that has the database, or would have it. */
async function home(): Promise<string> {
  const found = path.dirname((await findPostgresHome(dir)).data)
  if (found !== dir) homes.add(found)
  return found
}

/** Closed is what /root is to the user of the database. */
const close = () => chmod(parent, 0o700)
const open = () => chmod(parent, 0o755)

async function storeObject(): Promise<void> {
  const blobs = path.join(dir, 'storage/r2/cairn-files/blobs')
  await mkdir(blobs, { recursive: true })
  await writeFile(path.join(blobs, 'a'), 'a photo')
}

test('Stored files without their database refuse a start, and a reset starts empty', async () => {
  await storeObject()
  await expect(home()).rejects.toThrow(`there is no database in ${path.join(dir, 'postgres')}`)
  await reset(dir, true)
  await mkdir(dir)
  expect(await home()).toBe(dir)
})

test.runIf(isRoot)('A database of another user is refused and still belongs to that user', async () => {
  const data = path.join(dir, 'postgres')
  await mkdir(data)
  await chown(data, ANN, ANN)
  await expect(startStack({ dir, worker: false, assets: false })).rejects.toThrow(
    `belongs to another user (uid ${ANN}): start Cairn as that`,
  )
  expect((await stat(data)).uid).toBe(ANN)
  await close()
  await expect(home()).rejects.toThrow(`belongs to another user (uid ${ANN}): start Cairn as that user`)
})

test.runIf(isRoot)('A database that its user can no longer reach is refused, not replaced by an empty one', async () => {
  await mkdir(path.join(dir, 'postgres'))
  await close()
  await expect(home()).rejects.toThrow(`may not enter ${dir}: let every user walk through its folders`)
})

test.runIf(isRoot)('As root in a closed folder, the database lies elsewhere, is found again, and goes with a reset', async () => {
  await close()
  const stack = await startStack({ dir, worker: false, assets: false, migrations: false })
  await stack.stop()
  const elsewhere = await home()
  expect(stack.postgres.data).toBe(path.join(elsewhere, 'postgres'))
  expect(elsewhere).not.toBe(dir)
  await open()
  expect(await home()).toBe(elsewhere)

  await storeObject()
  const moved = `${elsewhere}-moved`
  await rename(elsewhere, moved)
  homes.add(moved)
  await expect(home()).rejects.toThrow(`there is no database in ${path.join(elsewhere, 'postgres')}`)
  await rename(moved, elsewhere)

  await reset(dir, true)
  await expect(stat(elsewhere)).rejects.toThrow('ENOENT')
})

test.runIf(isRoot)(
  'As root in a closed folder, Cairn starts empty after .cairn is removed, or the database where no files were stored',
  async () => {
    await close()
    const first = await home()
    await rm(dir, { recursive: true })
    await mkdir(dir)
    const second = await home()
    await rm(second, { recursive: true })
    const third = await home()
    expect(new Set([first, second, third, dir]).size).toBe(4)
  },
)

test('A reset removes no folder that Cairn has not made', async () => {
  const other = path.join(parent, 'other')
  await mkdir(other)
  await writeFile(path.join(dir, 'postgres-folder'), other)
  await expect(reset(dir, true)).rejects.toThrow('postgres-folder does not name a folder of Cairn')
  await stat(other)
})
