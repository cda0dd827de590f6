// biome-ignore-all lint/suspicious/noTemplateCurlyInString: code as text
import { readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { expect, test } from 'vitest'
import { PROJECT } from '../state-folder.ts'
import { uncaughtTexts } from './texts.ts'

/** Whose texts people read in their own language. */
const FOLDERS = ['contract', 'web', 'worker']
const ENGLISH = [
  // The blog and the legal pages say so. Answers to refused mails may have no other letters (RFC 5321).
  ...['web/pages/content-page.tsx', 'worker/content/incoming/', 'worker/services/add-mail.ts', 'worker/services/receive-mail.ts'],
  // Developers and those who run a site read these.
  ...['contract/columns.ts', 'contract/routes.ts', 'worker/auth/oidc-tokens.ts', 'worker/index.ts', 'worker/live/change-relay.ts'],
  ...[
    'worker/mail.ts',
    'worker/openapi/',
    'worker/push/',
    'worker/routes/security-txt.ts',
    'worker/settings.ts',
    'worker/settings-outside.ts',
  ],
  // Names that are the same everywhere.
  ...['contract/date-words.ts', 'contract/language/languages.ts', 'contract/photos/', 'worker/media/clean/'],
]
/** Names that are the same in every language: of products, of keys and events as browsers call them, of formats. */
const NAMES = new Set([
  ...['Apple Photos', 'Cairn', 'Day One', 'Day One, Journey', 'Google Photos', 'Google Takeout', 'Immich', 'Journey', 'Polarsteps'],
  ...['Alt', 'Backspace', 'Delete', 'End', 'Enter', 'Escape', 'Home', 'Page', 'Tab'],
  ...['Control+K Meta+K', 'Alt+ArrowUp Alt+ArrowDown Alt+ArrowLeft Alt+ArrowRight'],
  ...['Adobe', 'Edge', 'Opera', 'Samsung Internet', 'Firefox', 'Chrome', 'Safari', 'Android', 'Windows', 'Mac', 'Linux'],
  ...['All', 'Lax', 'List-Unsubscribe', 'One-Click', 'Strict'],
  ...['Error', 'Feature', 'Figtree Variable', 'Files', 'Motion JPEG', 'Notification', 'Point'],
])
/** The path of a drawing, the mark of a segment in a file, and what the API's description and the log say. */
const UNREAD =
  /^`?M[\d.$]|^Exif\0|^`At most \$\{max\} characters, as a person counts them`$|^`There is no \$\{key\}`$|^No renditions were made$|^A guest$/

test('Every text that people read is in the catalogue', () => {
  const uncaught = FOLDERS.flatMap(sourcesIn)
    .filter((file) => !ENGLISH.some((begin) => file.startsWith(begin)))
    .flatMap((file) => {
      const texts = uncaughtTexts(readFileSync(path.join(PROJECT, file), 'utf8'), file)
      return texts.filter(({ text }) => !NAMES.has(text) && !UNREAD.test(text)).map(({ line, text }) => `${file}:${line} ${text}`)
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
