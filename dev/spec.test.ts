import { existsSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { expect, test } from 'vitest'
import { PROJECT } from './state-folder.ts'

const read = (file: string) => readFileSync(path.join(PROJECT, file), 'utf8')

/** The cells of each row of a table, without the row of dashes. */
const rows = read('docs/spec.md')
  .split('\n')
  .filter((line) => line.startsWith('|') && !line.startsWith('|---'))
  .map((line) => line.split('|').slice(1, -1))
  .map((cells) => cells.map((cell) => cell.trim()))
/** `[file](../file): title`, as often as there are tests, with `<br>` between them. */
const TEST = /^\[(?<file>[^\]]+)\]\(\.\.\/\k<file>\): (?<title>.+)$/

test('Every behaviour in docs/spec.md names the test that shows it', () => {
  const named = rows.filter(([behaviour]) => behaviour !== 'Behaviour')
  expect(named.length).toBeGreaterThan(0)
  expect(named.filter((cells) => cells.length !== 2 || cells.some((cell) => cell === ''))).toEqual([])
})

test('Every test in docs/spec.md is in the file it names, with the title as its source has it', () => {
  const tests = rows.flatMap(([behaviour, cell = '']) => (behaviour === 'Behaviour' ? [] : cell.split('<br>')))
  expect(tests.filter((text) => !exists(text))).toEqual([])
})

function exists(text: string): boolean {
  const { file = '', title = '' } = TEST.exec(text)?.groups ?? {}
  return file !== '' && existsSync(path.join(PROJECT, file)) && ["'", '"', '`'].some((quote) => read(file).includes(quote + title + quote))
}
