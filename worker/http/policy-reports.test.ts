import { afterEach, expect, test, vi } from 'vitest'
import { logReports, readReports } from './policy-reports.ts'

afterEach(() => void vi.restoreAllMocks())

const OLD = {
  'csp-report': {
    'document-uri': 'https://cairn.example/collections/media?c=1#x',
    'effective-directive': 'script-src-elem',
    'blocked-uri': 'https://evil.example/a.js?who=ada',
    'line-number': 7,
  },
}
const NEW = {
  type: 'csp-violation',
  body: {
    documentURL: 'https://cairn.example/feed?q=ada',
    effectiveDirective: 'img-src',
    blockedURL: 'inline',
    sourceFile: 'https://cairn.example/assets/a.js',
  },
}

test('A report in either spelling is read without queries and fragments', () => {
  expect(readReports(OLD)).toEqual([
    {
      directive: 'script-src-elem',
      blocked: 'https://evil.example/a.js',
      page: 'https://cairn.example/collections/media',
      source: undefined,
      line: 7,
    },
  ])
  expect(readReports([NEW])).toEqual([
    {
      directive: 'img-src',
      blocked: 'inline',
      page: 'https://cairn.example/feed',
      source: 'https://cairn.example/assets/a.js',
      line: undefined,
    },
  ])
  expect(JSON.stringify(readReports([OLD, NEW]))).not.toContain('ada')
})

test.each([null, 7, 'x', [], {}, [null], { 'csp-report': 'x' }, [{ type: 'deprecation', body: {} }], { __proto__: { 'csp-report': {} } }])(
  'A body that is no report says nothing (%#)',
  (body) =>
    expect(readReports(body)).toEqual(
      body !== null && typeof body === 'object' && 'csp-report' in body && body['csp-report'] !== 'x' ? expect.any(Array) : [],
    ),
)

test('Texts are cut off, wrong types ignored, and at most ten reports of a body read', () => {
  const [long] = readReports({ 'csp-report': { 'blocked-uri': 'x'.repeat(5_000), 'line-number': '7', 'source-file': {} } })
  expect(long).toEqual({ directive: undefined, blocked: 'x'.repeat(200), page: undefined, source: undefined, line: undefined })
  expect(readReports(Array.from({ length: 500 }, () => NEW))).toHaveLength(10)
})

test('A flood of reports is logged up to a limit per minute, one line of JSON each', () => {
  const warn = vi.spyOn(console, 'warn').mockImplementation(() => {})
  const report = readReports({ 'csp-report': { 'effective-directive': 'img-src\n{"level":"error"}' } })
  const now = Date.parse('2026-05-01T12:00:00Z')
  for (let left = 1_000; left > 0; left--) logReports(report, now)
  expect(warn.mock.calls.length).toBe(30)
  for (const [line] of warn.mock.calls) expect(String(line)).not.toContain('\n')
  logReports(report, now + 60_000)
  expect(warn.mock.calls.length).toBe(31)
})

test('A report tells no secret of a link', () => {
  const secret = 'aZ09-_aZ09-_aZ09-_aZ09'
  for (const path of [`/s/${secret}`, `/s/${secret}/media?x=1`, `/api/links/${secret}/enter`]) {
    const report = {
      ...NEW,
      body: { ...NEW.body, documentURL: `https://cairn.example${path}`, sourceFile: `https://cairn.example${path}`, blockedURL: path },
    }
    expect(JSON.stringify(readReports([report]))).not.toContain(secret)
  }
})
