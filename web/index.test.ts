import { readFileSync, statSync } from 'node:fs'
import path from 'node:path'
import { expect, test } from 'vitest'

const PUBLIC = path.join(import.meta.dirname, 'public')

const read = (file: string) => readFileSync(path.join(import.meta.dirname, file), 'utf8')

const page = read('index.html')
const linked = (rel: string) => new RegExp(`<link rel="${rel}" href="([^"]+)"`).exec(page)?.[1] ?? ''

test('The page is titled by the short name of the product, in English, from left to right', () => {
  const { short_name, lang, dir } = JSON.parse(read('public/manifest.webmanifest'))
  expect([lang, dir]).toEqual(['en', 'ltr'])
  expect(page).toContain(`<title>${short_name}</title>`)
  expect(page).toMatch(/<html lang="en" dir="ltr"/)
})

test('The page has a touch icon and the web manifest', () => {
  for (const rel of ['apple-touch-icon', 'manifest']) expect(statSync(path.join(PUBLIC, linked(rel))).isFile(), rel).toBe(true)
})

test('The default favicon is amber', () => {
  expect(linked('icon')).toBe('/favicon.svg')
  expect(read('public/favicon.svg')).toContain('fill="#F59E0B"')
})
