import { z } from 'zod'

/** Where browsers report what the content security policy has blocked. Not part of the API: browsers send it without a session. */
export const REPORTS_PATH = '/_reports/policy'

/** Bytes of a body, and reports in it; a browser sends a few at once. */
export const MAX_REPORT_BYTES = 16 * 1024
const MAX_REPORTS = 10
/** Logged per minute by one instance of the worker, so that a flood of reports does not hide other entries. */
const MAX_PER_MINUTE = 30
const MAX_TEXT = 200

const text = z
  .string()
  .transform((value) => value.slice(0, MAX_TEXT))
  .optional()
  .catch(undefined)
const line = z.number().int().optional().catch(undefined)
/** `report-uri` sends one report at a time, the Reporting API a list; the fields have different names. */
const OldReport = z.object({
  'csp-report': z.object({
    'effective-directive': text,
    'violated-directive': text,
    'blocked-uri': text,
    'document-uri': text,
    'source-file': text,
    'line-number': line,
  }),
})
const NewReport = z.object({
  type: z.literal('csp-violation'),
  body: z.object({ effectiveDirective: text, blockedURL: text, documentURL: text, sourceFile: text, lineNumber: line }),
})

export interface PolicyReport {
  directive: string | undefined
  blocked: string | undefined
  page: string | undefined
  source: string | undefined
  line: number | undefined
}

/** Reads reports of both formats. URLs lose query and fragment, which may contain personal data, and the secrets of links. Empty for any other body. */
export function readReports(body: unknown): PolicyReport[] {
  return (Array.isArray(body) ? body : [body]).slice(0, MAX_REPORTS).flatMap((report) => {
    const old = OldReport.safeParse(report).data?.['csp-report']
    const now = NewReport.safeParse(report).data?.body
    if (!old && !now) return []
    return [
      {
        directive: old?.['effective-directive'] ?? old?.['violated-directive'] ?? now?.effectiveDirective,
        blocked: withoutQuery(old?.['blocked-uri'] ?? now?.blockedURL),
        page: withoutQuery(old?.['document-uri'] ?? now?.documentURL),
        source: withoutQuery(old?.['source-file'] ?? now?.sourceFile),
        line: old?.['line-number'] ?? now?.lineNumber,
      },
    ]
  })
}

const withoutQuery = (url: string | undefined) =>
  url?.replace(/[?#].*$/s, '').replace(/\/(s|api\/links|api\/calendar)\/[^/]+/g, '/$1/{secret}')

let minute = 0
let logged = 0

/** Logs reports, each as one line of JSON, up to a limit per minute. */
export function logReports(reports: PolicyReport[], now = Date.now()): void {
  const current = Math.floor(now / 60_000)
  if (current !== minute) [minute, logged] = [current, 0]
  for (const report of reports) {
    if (logged++ < MAX_PER_MINUTE)
      console.warn(JSON.stringify({ level: 'warn', what: 'Blocked by the content security policy', ...report }))
  }
}
