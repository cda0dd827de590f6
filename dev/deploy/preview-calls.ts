import type { OpenedPreview } from './preview.ts'

/** Commands that stand for what a preview lacks. They hold its key, so they are printed on a terminal only. */
export function callsOf({ origin, key }: OpenedPreview, terminal: boolean): string[] {
  if (!key) return ['It has no key yet: open it first.']
  if (!terminal) return ['The calls need the key of the preview: "npm run preview -- show <branch>" prints them on a terminal.']
  const bearer = `-H "authorization: Bearer ${key}"`
  return [
    `curl -X POST ${bearer} ${origin}/_preview/minute   # the minute's task`,
    `curl ${bearer} ${origin}/_preview/mails   # caught mail, newest first`,
  ]
}
