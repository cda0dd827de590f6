// biome-ignore-all lint/suspicious/noTemplateCurlyInString: code as text
import { readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { expect, test } from 'vitest'
import { PROJECT } from '../state-folder.ts'
import { uncaughtTexts } from './texts.ts'

/** Whose texts people read in their own language. */
const FOLDERS = ['web']
/** The blog and the legal pages are in English, and say so. */
const ENGLISH = ['web/pages/content-page.tsx']
/** Names that are the same in every language: of products, of keys and events as browsers call them, of formats. */
const NAMES = new Set([
  ...['Apple Photos', 'Cairn', 'Day One', 'Day One, Journey', 'Google Photos', 'Google Takeout', 'Immich', 'Journey', 'Polarsteps'],
  ...['Alt', 'Backspace', 'Delete', 'End', 'Enter', 'Escape', 'Home', 'Page', 'Tab'],
  ...['Control+K Meta+K', 'Alt+ArrowUp Alt+ArrowDown Alt+ArrowLeft Alt+ArrowRight'],
  ...['Error', 'Feature', 'Figtree Variable', 'Files', 'Motion JPEG', 'Notification', 'Point'],
])
/** The path of a drawing. */
const DRAWING = /^`?M[\d.$]/

test('Every text that people read is in the catalogue', () => {
  const uncaught = FOLDERS.flatMap(sourcesIn)
    .filter((file) => !ENGLISH.includes(file))
    .flatMap((file) => {
      const texts = uncaughtTexts(readFileSync(path.join(PROJECT, file), 'utf8'), file)
      return texts.filter(({ text }) => !NAMES.has(text) && !DRAWING.test(text)).map(({ line, text }) => `${file}:${line} ${text}`)
    })
  expect(uncaught).toEqual([])
})

test.each([
  ['<p>Nothing here</p>', ['Nothing here']],
  ['<img alt="a cat" className="Big one" />', ['a cat']],
  ['<Button title={busy ? "Saving…" : undefined} />', ['Saving…']],
  ['<Trans>Open {isNew ? "Now" : <b>later</b>}</Trans>', ['Now', 'later']],
  ['<Trans>Open <b>now</b></Trans>', []],
  ['say(t`Open ${name}`, "text/html", "item.remove")', []],
  ['add("Could not be saved")', ['Could not be saved']],
  ['const title = `${name} moved to ${place}`', ['`${name} moved to ${place}`']],
  ['const id = `pin-${name}`', []],
  ['throw new Error("No root")', []],
])('In %s, texts outside of the catalogue are %j', (code, texts) => {
  expect(uncaughtTexts(code, 'example.tsx').map(({ text }) => text)).toEqual(texts)
})

function sourcesIn(folder: string): string[] {
  return readdirSync(path.join(PROJECT, folder), { recursive: true, encoding: 'utf8' })
    .filter((file) => /\.tsx?$/.test(file) && !/\.(test|d)\./.test(file))
    .map((file) => `${folder}/${file}`)
}
