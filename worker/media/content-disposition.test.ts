import { expect, test } from 'vitest'
import { contentDisposition, safeFileName } from './content-disposition.ts'

test.each([
  ['kyoto.jpg', `attachment; filename="kyoto.jpg"; filename*=UTF-8''kyoto.jpg`],
  ['a "quoted" name.jpg', `attachment; filename="a _quoted_ name.jpg"; filename*=UTF-8''a%20%22quoted%22%20name.jpg`],
  ['Größe.jpg', `attachment; filename="Gro_e.jpg"; filename*=UTF-8''Gr%C3%B6%C3%9Fe.jpg`],
  ['京都.jpg', `attachment; filename="__.jpg"; filename*=UTF-8''%E4%BA%AC%E9%83%BD.jpg`],
  ["it's 100% (a*b)!.txt", `attachment; filename="it's 100_ (a_b)!.txt"; filename*=UTF-8''it%27s%20100%25%20%28a_b%29%21.txt`],
])('the header for %s is correct', (name, header) => {
  expect(contentDisposition('attachment', name)).toBe(header)
})

test.each([
  ['../../etc/passwd', '_.._etc_passwd'],
  ['..\\..\\boot.ini', '_.._boot.ini'],
  ['a\u0000b\r\nSet-Cookie: x.jpg', 'a_b__Set-Cookie_ x.jpg'],
  ['CON', '_CON'],
  ['nul.txt', '_nul.txt'],
  ['contract.pdf', 'contract.pdf'],
  ['...', 'file'],
  ['', 'file'],
  ['photo\u202egpj.exe', 'photo_gpj.exe'],
  ['می\u200cخواهم.jpg', 'می\u200cخواهم.jpg'],
  ['👨\u200d👩\u200d👧.jpg', '👨\u200d👩\u200d👧.jpg'],
  ['\ud800.jpg', '\ufffd.jpg'],
])('the file name %j is changed to %j', (name, safe) => {
  expect(safeFileName(name)).toBe(safe)
})

test('a name of 400 characters is shortened and keeps its extension', () => {
  const safe = safeFileName(`${'é'.repeat(400)}.jpeg`)
  expect([...safe]).toHaveLength(200)
  expect(safe.endsWith('.jpeg')).toBe(true)
})

test('no file name can inject a header', () => {
  for (let code = 0; code < 0x250; code++) {
    expect(contentDisposition('inline', `a${String.fromCharCode(code)}b`)).toMatch(
      /^inline; filename="[^"\\\r\n]+"; filename\*=UTF-8''[\w.%~-]+$/,
    )
  }
})
