import { existsSync, readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { describe, expect, test } from 'vitest'
import { PROJECT } from './state-folder.ts'

/** Pages whose paths and links must all exist. Of the decisions only the index, since each decision describes its own time. */
const PAGES = [
  'README.md',
  'ARCHITECTURE.md',
  'CONTRIBUTING.md',
  'docs/tour.md',
  'docs/deploy.md',
  'docs/security.md',
  'docs/spec.md',
  'SECURITY.md',
  'docs/decisions/README.md',
  ...folderPages(),
]
/**
 * A path of the repository in backticks, optionally followed by a name that its file contains, as in `contract/policy.ts` (`item.remove`).
 */
const PATH = /`((?:contract|worker|party|web|dev|tests|docs|content|migrations)\/[\w./-]*)`(?: \(`([\w.]+)`\))?/g
const LINK = /\]\((?!https?:|mailto:|#)([^)\s]+)\)/g

function folderPages(): string[] {
  return ['contract', 'worker', 'party', 'web', 'dev', 'tests'].flatMap((folder) =>
    readdirSync(path.join(PROJECT, folder), { recursive: true, encoding: 'utf8' })
      .filter((file) => path.basename(file) === 'README.md')
      .map((file) => `${folder}/${file}`),
  )
}

const read = (file: string) => readFileSync(path.join(PROJECT, file), 'utf8')

describe.each(PAGES)('%s', (page) => {
  const text = read(page)

  test('The page names only paths that exist, with the names it says they contain', () => {
    const wrong = [...text.matchAll(PATH)].flatMap(([, file = '', name]) => {
      if (!existsSync(path.join(PROJECT, file))) return [file]
      return name && !read(file).includes(name) ? [`${name} in ${file}`] : []
    })
    expect(wrong).toEqual([])
  })

  test('The page links only to files that exist', () => {
    const links = [...text.matchAll(LINK)].map(([, target = '']) => target.replace(/#.*/, ''))
    expect(links.filter((target) => !existsSync(path.join(PROJECT, path.dirname(page), target)))).toEqual([])
  })
})

test('The tour answers at least fourteen questions with a path', () => {
  const rows = read('docs/tour.md').split('\n').slice(6).filter(Boolean)
  expect(rows.length).toBeGreaterThanOrEqual(14)
  for (const row of rows) expect(row).toMatch(/`[\w./-]+`/)
})

test('ARCHITECTURE.md has at most 700 words, README.md at most 70 lines', () => {
  expect(read('ARCHITECTURE.md').trim().split(/\s+/).length).toBeLessThanOrEqual(700)
  expect(read('README.md').trim().split('\n').length).toBeLessThanOrEqual(70)
})
