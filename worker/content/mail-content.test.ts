import { expect, test } from 'vitest'
import { verificationMail } from './account-mail.ts'
import { nameInMail } from './mail-content.ts'

test.each([
  ['Kyoto', 'Kyoto'],
  ['  St. Petersburg\n2024 ', 'St. Petersburg 2024'],
  ['👨‍👩‍👧‍👦 Family', '👨‍👩‍👧‍👦 Family'],
  ['Win at https://evil.example/now today', 'Win at today'],
  ['Write to win@evil.example', 'Write to'],
  ['www.evil.example', ''],
  ['Your prize: evil.example/win', 'Your prize: evil. example win'],
  ['evil。example', 'evil. example'],
  ['ｅｖｉｌ．ｅｘａｍｐｌｅ', 'evil. example'],
  ['\u202Eelpmaxe.live', 'elpmaxe. live'],
  ['javascript://%0aalert(1)', ''],
  ['=?utf-8?Q?=0ABcc:?=', '= ?utf-8?Q?=0ABcc:?='],
])('the name %j is %j in a mail', (name, expected) => {
  expect(nameInMail(name)).toBe(expected)
})

// Mail programs turn these into links: schemes, www., e-mail addresses, and words with a dot inside.
const LINKED = /:\/\/|\bwww\.|@|[\p{L}\p{N}]\.[\p{L}\p{N}]/iu

test('names of random pieces become short lines without anything that a mail program turns into a link', () => {
  const pieces = [
    'a',
    'Evil',
    '.',
    '..',
    '/',
    '//',
    ':',
    '@',
    'www',
    'http',
    'https',
    ' ',
    '\n',
    '\u202e',
    '\u200b',
    '。',
    '．',
    '：',
    '＠',
    '／',
    'é',
    '७',
    '👪',
    'com',
    '-',
  ]
  let seed = 7
  const random = (below: number) => {
    seed = (seed * 1_103_515_245 + 12_345) % 2 ** 31
    return seed % below
  }
  for (let run = 0; run < 5_000; run++) {
    const name = Array.from({ length: random(12) }, () => pieces[random(pieces.length)]).join('')
    const shown = nameInMail(name)
    expect(shown, name).not.toMatch(LINKED)
    expect(shown, name).not.toMatch(/[\n\u202e\u200b]/)
    expect([...shown].length).toBeLessThanOrEqual(60)
  }
})

test('the mail that confirms an address says which account asked, from which browser, and what to do if it was somebody else', () => {
  const agent = 'Mozilla/5.0 (X11; Linux x86_64; rv:150.0) Gecko/20100101 Firefox/150.0'
  const { text } = verificationMail('https://cairn.example/verify-email?token=x', {
    address: 'new@example.org',
    account: 'ada@example.org',
    agent,
  })
  expect(text).toContain('The account ada@example.org asked to use new@example.org as its address from now on, from Firefox on Linux.')
  expect(text).toContain('If it was not you, ignore this e-mail')
})
