import { expect, test } from 'vitest'
import { answerMark } from '../mail-address.ts'
import { readMail } from './read-mail.ts'

interface Written {
  subject?: string
  /** Of the mail that this one answers or passes on. */
  references?: string
  html: string
}

function read({ subject = '', references, html }: Written) {
  const fields = [`Subject: ${subject}`, ...(references ? [`In-Reply-To: ${references}`] : []), 'Content-Type: text/html; charset=utf-8']
  return readMail(new Uint8Array(new TextEncoder().encode(`${fields.join('\r\n')}\r\n\r\n${html}`)))
}

test('HTML is sanitised, and its text is read from it', async () => {
  const { text, html } = await read({ html: `<style>${'p{}'.repeat(50_000)}</style><p onclick="a()">Hello <b>all</b> &amp; you</p>` })
  expect([text, html]).toEqual(['Hello all & you', '<p>Hello <b>all</b> &amp; you</p>'])
})

test.each([
  ['of HTML without a word', { html: '<div><br></div>&nbsp;' }],
  [
    'that answers with what it quotes alone',
    { subject: 'Re: Garden', references: '<a@b>', html: '<blockquote type="cite">When?</blockquote>' },
  ],
  [
    'that answers the weekly mail below its line',
    { subject: 'Re: What is new in “Kyoto”', references: '<a@b>', html: `${answerMark()} At noon` },
  ],
])('A mail %s is empty', async (_, mail) => {
  await expect(read(mail)).rejects.toThrow('This mail is empty. Write something, or attach a photo')
})

test('A subject alone is no empty mail', async () => {
  expect(await read({ subject: 'Snow!', html: '' })).toMatchObject({ subject: 'Snow!', text: '', html: null })
})

test.each([
  ['Re: What is new in “Kyoto”', ''],
  ['Re: What is new in a collection on Cairn', ''],
  ['Re: What is new in the garden', 'Re: What is new in the garden'],
  ['Fwd: What is new in “Kyoto”', 'Fwd: What is new in “Kyoto”'],
])('Of the subject %s of an answer, %j is kept', async (subject, kept) => {
  expect((await read({ subject, references: '<a@b>', html: '<p>Lovely!</p>' })).subject).toBe(kept)
})
