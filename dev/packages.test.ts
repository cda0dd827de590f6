import { readFile } from 'node:fs/promises'
import path from 'node:path'
import { expect, test } from 'vitest'
import { PROJECT } from './state-folder.ts'

const read = async (file: string) => JSON.parse(await readFile(path.join(PROJECT, file), 'utf8'))

test('package-lock.json names the packages of package.json, in exact versions', async () => {
  const kinds = ['dependencies', 'devDependencies', 'optionalDependencies'] as const
  const wanted = await read('package.json')
  const locked = (await read('package-lock.json')).packages['']
  expect(kinds.map((kind) => locked[kind])).toEqual(kinds.map((kind) => wanted[kind]))
  const versions = kinds.flatMap((kind) => Object.values<string>(wanted[kind] ?? {}))
  expect(versions.filter((version) => !/^\d+\.\d+\.\d+[\w.-]*$/.test(version))).toEqual([])
})
