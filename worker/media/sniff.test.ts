import { describe, expect, test } from 'vitest'
import { mayShowInline, sniff } from './sniff.ts'

const utf8 = (text: string) => new TextEncoder().encode(text)
const hex = (text: string) => Uint8Array.from(text.replaceAll(' ', '').match(/../g) ?? [], (pair) => Number.parseInt(pair, 16))
const ftyp = (main: string, ...compatible: string[]) =>
  utf8(`\0\0\0${String.fromCharCode(16 + 4 * compatible.length)}ftyp${main}\0\0\0\0${compatible.join('')}`)

describe('recognised bytes', () => {
  test.each<[string, Uint8Array]>([
    ['image/jpeg', hex('ffd8ffe000104a464946')],
    ['image/png', hex('89504e470d0a1a0a0000')],
    ['image/gif', utf8('GIF89a=1/*')],
    ['image/webp', utf8('RIFF1234WEBPVP8 ')],
    ['audio/wav', utf8('RIFF1234WAVEfmt ')],
    ['image/avif', ftyp('avif', 'mif1', 'miaf')],
    ['image/avif', ftyp('mif1', 'miaf', 'avif')],
    ['image/heic', ftyp('heic', 'mif1')],
    ['image/heic', ftyp('mif1', 'heic')],
    ['image/heif', ftyp('mif1', 'miaf')],
    ['video/mp4', ftyp('isom', 'mp41')],
    ['video/quicktime', ftyp('qt  ')],
    ['video/quicktime', utf8('\0\0\0\u0008wide\0\0\u0001\0mdat')],
    ['video/quicktime', utf8('\0\0\0\u0014pnot\0\0\0\0\0\0PICT\0\u0001')],
    ['video/quicktime', utf8('\0\0\0\u0008free\0\0\u0001\0moov')],
    ['text/plain', utf8('Sugarfree, and a pict')],
    ['audio/mp4', ftyp('M4A ')],
    ['video/webm', hex('1a45dfa3 9f 4286810142f7810142f2810442f381084282847765626d')],
    ['video/x-matroska', hex('1a45dfa3 a3 4282886d6174726f736b61')],
    ['audio/mpeg', utf8('ID3\u0003')],
    ['audio/mpeg', hex('fffb9064')],
    ['audio/flac', utf8('fLaC')],
    ['audio/ogg', utf8('OggS\0\u0002')],
    ['application/pdf', utf8('%PDF-1.7\n/JavaScript')],
    ['application/zip', hex('504b0304')],
    ['image/tiff', hex('49492a00')],
    ['image/bmp', hex('424d 46000000 00000000 36000000 28000000')],
    ['image/svg+xml', utf8('<?xml version="1.0"?>\n<!-- x --><svg xmlns="http://www.w3.org/2000/svg"/>')],
    ['image/svg+xml', utf8('  <svg onload="alert(1)">')],
    ['text/html', utf8('\n<!DOCTYPE html><p>hi')],
    ['text/html', utf8('<script>alert(1)</script>')],
    ['application/xhtml+xml', utf8('<?xml version="1.0"?><html xmlns="http://www.w3.org/1999/xhtml"/>')],
    ['text/xml', utf8('<?xml version="1.0"?><a/>')],
    ['text/plain', utf8('This is no picture.')],
    ['text/plain', utf8('alert(1) // polyglot')],
    ['text/plain', utf8('BM is how this text begins')],
    ['text/plain', hex('fffe 4800 6900')],
    ['text/plain', utf8(`${'a'.repeat(4095)}é`).subarray(0, 4096)],
  ])('sniff recognises %s in spite of the declared type', (type, bytes) => {
    expect(sniff(bytes, 'application/x-anything')).toBe(type)
  })
})

describe('declared types', () => {
  test.each<[string, Uint8Array, string]>([
    ['text/csv', utf8('a,b\n1,2'), 'text/csv'],
    ['application/json', utf8('{"a":1}'), 'application/json'],
    ['application/gpx+xml', utf8('<?xml version="1.0"?><gpx/>'), 'application/gpx+xml'],
    [
      'application/vnd.openxmlformats-officedocument.wordprocessingml.document',
      hex('504b0304'),
      'application/vnd.openxmlformats-officedocument.wordprocessingml.document',
    ],
    ['image/x-adobe-dng', hex('49492a00'), 'image/x-adobe-dng'],
    ['audio/mp4', ftyp('isom'), 'audio/mp4'],
    ['Image/X-Raw', hex('0102030405'), 'image/x-raw'],
    ['font/woff2', hex('774f463200'), 'font/woff2'],
  ])('sniff keeps the declared type %s if the bytes allow it', (declared, bytes, type) => {
    expect(sniff(bytes, declared)).toBe(type)
  })

  test.each([
    'image/jpeg',
    'image/svg+xml',
    'text/html',
    'text/javascript',
    'application/javascript',
    'application/xhtml+xml',
    'application/wasm',
    'video/mp4',
  ])('sniff ignores the declared type %s for unknown bytes', (declared) => {
    expect(sniff(hex('0001020304'), declared)).toBe('application/octet-stream')
  })

  test.each(['text/javascript', 'text/css', 'text/html', 'application/xml', 'image/jpeg'])(
    'sniff returns text/plain for a text declared as %s',
    (declared) => {
      expect(sniff(utf8('body{}'), declared)).toBe('text/plain')
    },
  )
})

test('mayShowInline is true for images, video, audio and PDF, and false for SVG', () => {
  for (const type of ['image/jpeg', 'video/mp4', 'audio/mpeg', 'application/pdf']) expect(mayShowInline(type)).toBe(true)
  for (const type of ['image/svg+xml', 'text/html', 'text/plain', 'application/xhtml+xml', 'application/zip', 'application/octet-stream']) {
    expect(mayShowInline(type)).toBe(false)
  }
})
