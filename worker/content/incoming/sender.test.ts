import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { parseAuthenticationResults } from './authentication-results.ts'
import { readHeaderFields } from './header-fields.ts'
import { refuseAutomatic, senderOf } from './sender.ts'

const fieldsOf = (...lines: string[]) => readHeaderFields(new TextEncoder().encode(`${lines.join('\r\n')}\r\n\r\nFrom: body@example.org`))
const senderIn = (...lines: string[]) => senderOf(fieldsOf(...lines), 'ada@example.org')
const results = (text: string) => `Authentication-Results: mx.cloudflare.net; ${text}`
const FROM = 'From: Ada <ada@example.org>'

describe('what Cloudflare says of a mail', () => {
  test.each([
    'dmarc=pass header.from=example.org policy.dmarc=none',
    'DMARC = Pass header.from=Example.ORG',
    'dmarc=pass (p=none; sp=reject) header.from=example.org',
    'spf=none (x (nested \\) ) y) smtp.helo=a; dmarc="pass" header.from="example.org"',
    'dmarc=none; dkim=fail header.d=other.example; dkim=pass header.d=example.org header.s=s header.b=ab=cd==',
    'dkim/1=pass header.d=example.org',
    'spf=pass smtp.mailfrom=bounce@example.org;',
    'spf=pass\r\n\tsmtp.mailfrom=example.org',
  ])('%s proves the sender', (text) => {
    expect(senderIn(results(text), FROM)).toBe('ada@example.org')
  })

  test.each([
    'none',
    'dmarc=fail header.from=example.org; dkim=pass header.d=example.org',
    'dmarc=pass header.from=evil.example',
    'dmarc=pass header.from=example.org.evil.example',
    'dmarc=pass',
    'dmarc=pass header.from=evil.example; dmarc=pass header.from=example.org',
    'dkim=pass header.d=evil.example header.d=example.org',
    'dkim=pass header.d=org',
    'dkim=pass header.i=@example.org',
    'dkim=fail header.d=example.org',
    'spf=pass smtp.helo=example.org',
    'spf=softfail smtp.mailfrom=ada@example.org',
    'spf=pass smtp.mailfrom="x; dmarc=pass header.from=example.org"@evil.example',
    'dkim=none (dkim=pass header.d=example.org)',
    'dkim=none (unended ; dmarc=pass header.from=example.org',
    'dkim=pass header.d="example.org',
    'arc=pass header.d=example.org',
  ])('%s does not', (text) => {
    expect(() => senderIn(results(text), FROM)).toThrow(/^Nothing proves/)
  })

  test('Only the header on top counts, and only with the name of Cloudflare and version 1', () => {
    const pass = 'dmarc=pass header.from=example.org'
    expect(senderIn(`Authentication-Results: MX.cloudflare.net 1; ${pass}`, FROM)).toBe('ada@example.org')
    // Exchange writes one of its own, without the name of a server.
    expect(senderIn(results(pass), 'Authentication-Results: dkim=none (message not signed) header.d=none;dmarc=none', FROM)).toBe(
      'ada@example.org',
    )
    for (const top of [
      `Authentication-Results: mx.cloudflare.net.evil.example; ${pass}`,
      `Authentication-Results: mx.cloudflare.net 2; ${pass}`,
      `Authentication-Results: mx.cloudflare.net evil; ${pass}`,
      `Authentication-Results: evil.example; ${pass}`,
      'Authentication-Results: ',
    ])
      expect(() => senderIn(top, results(pass), FROM), top).toThrow(/^Nothing proves/)
    expect(() => senderIn(results('dmarc=fail'), results(pass), FROM)).toThrow(/^Nothing proves/)
  })
})

describe('the sender', () => {
  const proven = results('dmarc=pass header.from=example.org')
  test.each([
    ['From: ada@example.org', 'ada@example.org'],
    ['FROM : "Ada \\"<x@y.example>\\"" <ADA@Example.org>', 'ada@example.org'],
    ['From: Ada (of (some) "place" <x@y.example>) <ada@example.org>', 'ada@example.org'],
    ['From: =?utf-8?Q?x=40y?=\r\n <ada+trip@example.org>', 'ada+trip@example.org'],
  ])('%s is %s', (line, address) => {
    expect(senderIn(proven, line)).toBe(address)
  })

  test.each([
    ['From: ada@example.org, eve@example.org'],
    ['From: eve@example.org <ada@example.org>'],
    ['From: <eve@example.org> <ada@example.org>'],
    ['From: group: ada@example.org;'],
    ['From: "ada"@example.org'],
    ['From: "unended <ada@example.org>'],
    ['From: ada@localhost'],
    ['From: ada@example.org\0, eve@example.org'],
    ['From: ada@example.org\rFrom: eve@example.org'],
    ['From: ada@example.org', 'from : eve@example.org'],
    ['From:'],
    ['Sender: ada@example.org'],
  ])('%j is refused', (...lines) => {
    expect(() => senderIn(proven, ...lines)).toThrow(/sender|one address|plain address/)
  })

  test('No header that a stranger adds makes another sender of a mail', () => {
    const line = fc.oneof(
      fc.string().map((text) => `Authentication-Results: ${text}`),
      fc
        .string({ unit: fc.constantFrom(...'()";=. \\', 'dmarc', 'pass', 'header.from', 'example.org', 'mx.cloudflare.net') })
        .map((text) => `Authentication-Results: ${text}`),
      fc.string().map((text) => `X: ${text}`),
    )
    fc.assert(
      fc.property(fc.array(line, { maxLength: 4 }), (lines) => {
        expect(() =>
          senderIn(results('dmarc=fail header.from=example.org; spf=pass smtp.mailfrom=eve@evil.example'), ...lines, FROM),
        ).toThrow()
      }),
    )
  })

  test('Any text is read or refused, never more than one result for a name', () => {
    fc.assert(
      fc.property(fc.string({ unit: fc.constantFrom(...'();"=.\\ ab1') }), (text) => {
        for (const { properties } of parseAuthenticationResults(text)?.results ?? []) expect(Object.values(properties)).not.toContain('')
      }),
    )
  })
})

test.each([
  ['Auto-Submitted: auto-generated (x)'],
  ['Precedence: Junk'],
  ['List-Id: <a>'],
  ['Content-Type: multipart/report; report-type=delivery-status'],
  ['Return-Path: <>'],
])('%s is that of an automatic mail', (line) => {
  expect(() => refuseAutomatic(fieldsOf(line), 'ada@example.org', () => false)).toThrow(/^Automatic mails/)
})

test('A mail of a person is none, and one without a return path or from an own address is', () => {
  const person = fieldsOf('Auto-Submitted: no', 'Precedence: first-class', 'Content-Type: multipart/mixed')
  const isOwn = (address: string) => address === 'cairn@example.org'
  expect(() => refuseAutomatic(person, 'ada@example.org', isOwn)).not.toThrow()
  for (const envelope of ['', '<>', 'Cairn@example.org']) expect(() => refuseAutomatic(person, envelope, isOwn)).toThrow(/^Automatic mails/)
})
