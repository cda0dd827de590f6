import { describe, expect, test } from 'vitest'
import { answerMark } from '../mail-address.ts'
import { kindOf, paragraphsOf, titleAndBody, titleOf, writtenHtml, writtenText } from './mail-text.ts'

describe('the text that somebody wrote', () => {
  test.each([
    ['Yes!\n\nOn Sat, 28 Nov 2026 at 10:00, Cairn <c@example.org> wrote:\n> News\n> more', 'Yes!'],
    ['Yes!\n\nAm 28.11.26 um 10:00 schrieb Cairn:\n\n> News', 'Yes!'],
    ['See:\n\nCairn <c@example.org> wrote:\n> News', 'See:'],
    ['Packing list:\n> bread\n> tea', 'Packing list:'],
    ['> News\nMine', 'Mine'],
    ['Yes!\n\n-----Original Message-----\nFrom: Cairn <c@example.org>\nSent: today\n\nNews', 'Yes!'],
    ['Ja!\n\n________________________________\nVon: Cairn\nGesendet: heute\n\nNeues', 'Ja!'],
    ['Above\n________________________________\nbelow', 'Above\n________________________________\nbelow'],
    [`Yes!\n\n${answerMark()}\nNews`, 'Yes!'],
    [`Yes!\n\nOn Mon, Nov 30, 2026 at 8:00 AM Cairn\n<c@example.org> wrote:\n\n> ${answerMark()}\n>\n> News`, 'Yes!'],
    [`Yes!\n\nOn Mon, Nov 30, 2026 at 8:00 AM Cairn wrote:\n\n${answerMark()}\nNews`, 'Yes!'],
    [`好\n\nCairn <c@example.org> 于2026年11月30日周一 08:00写道：\n\n> ${answerMark()}\n> News`, '好'],
    [`Yes!\n\nFrom: Cairn <c@example.org>\nSent: today\nTo: Ada <a@example.org>\nSubject: What is new\n\n${answerMark()}\n\nNews`, 'Yes!'],
    [`Evet\n\nKimden: Cairn\nGönderildi: bugün\n\n${answerMark()}\n\nNews`, 'Evet'],
    [`We took:\n\nBread: two\nTea: much\n\n${answerMark()}\n\nNews`, 'We took:\n\nBread: two\nTea: much'],
    [`On Mon, 30 Nov 2026 Cairn wrote:\n> ${answerMark()}\n>\n> News\n\nMine stands below`, 'Mine stands below'],
    ['Yes!\n-- \nAda\n\nOn 28 Nov 2026, Cairn wrote:\n> News', 'Yes!'],
    ['a\r\nb\u0000\ud800', 'a\nb\ufffd'],
  ])('In the answer %j it is %j', (text, written) => {
    expect(writtenText(text, 'answer')).toBe(written)
  })

  test('A mail that is no answer keeps its quotes and loses its signature', () => {
    expect(writtenText('> To be\n\n-- \nWill', 'new')).toBe('> To be')
    expect(writtenText(`Hi\n-- \nBen\n${'_'.repeat(32)}\nThis e-mail is confidential`, 'new')).toBe('Hi')
    expect(writtenHtml('<p>a</p><blockquote type="cite">b</blockquote>', 'new')).toContain('b')
  })

  test.each([
    'See\n--\nWes\n\n-------- Forwarded Message --------\nFrom: Oma\n\nThe garden',
    'See\n--\nWes\n\nBegin forwarded message:\n\n> From: Oma\n>\n> The garden',
    'See\n\n---------- Forwarded message ---------\nFrom: Oma\n\nThe garden\n--\nOma\n\nPS: The swing',
  ])('Of the mail passed on %j nothing is cut', (text) => {
    expect(writtenText(text, 'forward')).toBe(text)
  })

  test('A signature is kept where a mail follows it', () => {
    const text = 'See\n--\nWes\n\n-------- Forwarded Message --------\nFrom: Oma\n\nThe garden'
    expect(writtenText(text, 'new')).toBe(text)
  })

  test.each([
    ['<p>a</p><blockquote class=x type=cite>b', '<p>a</p>'],
    ['<p>a</p><div dir="ltr" class="gmail_quote gmail_quote_container">b', '<p>a</p>'],
    ['<p>a</p><div id="appendonsend"></div>b', '<p>a</p>'],
    ['<p>a</p><DIV id=divRplyFwdMsg>b</DIV>c', '<p>a</p>'],
    [`<p>a</p>${answerMark()}b`, '<p>a</p>'],
    ['<blockquote type="cite">b<blockquote>c</blockquote>d</blockquote><p>a</p>', '<p>a</p>'],
    ['<div class="moz-cite-prefix">On Monday:</div><blockquote type="cite"><div>b</div></blockquote><p>a</p>', '<p>a</p>'],
    ['<p>a</p><div name="quote"><div>From: b</div>c</div>', '<p>a</p>'],
  ])('Of the HTML %s only what is quoted is cut', (html, written) => {
    expect(writtenHtml(html, 'answer')).toBe(written)
  })

  test('HTML that never ends a tag is read in a moment', () => {
    expect(writtenHtml('<div class='.repeat(100_000), 'answer')).toHaveLength(1_100_000)
  })
})

describe('lines that a program has broken', () => {
  const LONG = 'Today we went up to the old mill with the children and found that the whole'

  test('Broken sentences are whole again, and other lines stay', () => {
    const text = `${LONG}\nvalley was white, which nobody had expected after such a warm week, so we\nturned round.\n\nSee you\nWes`
    expect(writtenText(text, 'new')).toBe(
      `${LONG} valley was white, which nobody had expected after such a warm week, so we turned round.\n\nSee you\nWes`,
    )
  })

  test.each([
    `${LONG}\n- tea`,
    `${LONG}\n2. tea`,
    `${LONG}\n> tea`,
    `See:\nhttps://example.org/${'x'.repeat(70)}`,
    `${'-'.repeat(72)}\ntea`,
    `> ${LONG}?\nYes`,
    `> ${LONG}\nYes`,
    `${LONG}.\nWeather: sunny`,
    `${LONG}!”)\nWeather: sunny`,
    `Where a line is longer than that, nothing has broken it: ${LONG}\n${LONG}\nhere`,
  ])('The lines of %j stay', (text) => {
    expect(writtenText(text, 'new')).toBe(text)
  })
})

test.each([
  ['Garden', false, 'new'],
  ['Kyoto: the garden', false, 'new'],
  ['Garden', true, 'answer'],
  ['Re: Garden', true, 'answer'],
  ['Re: Kyoto: the garden', true, 'answer'],
  ...['RES', 'YNT', 'R', 'ODP', 'Antw', 'AW', 'Re[2]'].map((prefix) => [`${prefix}: Garden`, true, 'answer'] as const),
  ...['回复：Garden', '答复: Garden', 'رد: Garden'].map((subject) => [subject, true, 'answer'] as const),
  ['Fwd: Garden', false, 'forward'],
  ['Re: WG: Garden', true, 'forward'],
  ...['FW', 'ENC', 'PD', 'I', 'İLT', 'ILT', 'RV', 'TR', 'VS'].map((prefix) => [`${prefix}: Garden`, true, 'forward'] as const),
  ...['转发：Garden', 'إعادة توجيه: Garden', 'הועבר: Garden'].map((subject) => [subject, true, 'forward'] as const),
  ['Forward: march', false, 'new'],
] as const)('The subject %s of a mail that names another (%s) is that of a mail of the kind %s', (subject, references, kind) => {
  expect(kindOf(subject, references)).toBe(kind)
})

test.each(['RES: ENC: Garden', 'YNT: İLT: Garden', 'R: I: Garden', 'ODP: PD: Garden', '回复：转发：Garden', 'رد: إعادة توجيه: Garden'])(
  'The title of %s is Garden',
  (subject) => {
    expect(titleOf(subject)).toBe('Garden')
  },
)

test('Paragraphs are escaped, and single line breaks stay', () => {
  expect(paragraphsOf('a <b>\nc\n \n\nd & e')).toBe('<p>a &lt;b&gt;<br>c</p><p>d &amp; e</p>')
})

test('A subject that is too long stands in the text as well', () => {
  const { title, body } = titleAndBody('x'.repeat(250), { text: 'a', html: null })
  expect([title.length, body]).toEqual([200, `<p>${'x'.repeat(250)}</p><p>a</p>`])
})
