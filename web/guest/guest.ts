import { setLanguage } from '#language'
import { plural, t } from '#say'
import type { Catalogue } from '../../contract/language/sentence.ts'
import { introduce, Refused, sendFile } from '../lib/guest/send-file.ts'

/**
 * The script of the page of a link (worker/http/link-page.ts). It sends the chosen files one by one, in parts where they are large, and says how far it is.
 * Without it, the form sends all of them in one request.
 */

/** This script's sentences in each language but English. dev/guest-script.ts fills them in. */
declare const GUEST_LANGUAGES: Record<string, Catalogue>
const language = document.documentElement.lang
const catalogue = GUEST_LANGUAGES[language]
if (catalogue) setLanguage(language, catalogue)

const form = document.querySelector<HTMLFormElement>('#add form')
if (form) {
  // One request has at most so much, but the script sends several.
  document.getElementById('at-once')?.remove()
  form.addEventListener('submit', (event) => {
    event.preventDefault()
    void sendAll(form)
  })
}

async function sendAll(form: HTMLFormElement): Promise<void> {
  const field = form.elements.namedItem('files') as HTMLInputElement
  const name = form.elements.namedItem('name')
  const button = form.querySelector('button')
  const status = form.querySelector('[role=status]')
  if (!button || !status) return
  const files = [...(field.files ?? [])]
  const all = files.length
  const secret = location.pathname.split('/')[2] ?? ''
  const problems: string[] = []
  let sent = 0
  button.disabled = true
  window.addEventListener('beforeunload', keepOpen)
  try {
    if (name instanceof HTMLInputElement) await introduce(secret, name.value)
    for (const [nth, file] of files.entries()) {
      const say = (share: number) => {
        const [number, percent] = [nth + 1, Math.round(share * 100)]
        status.textContent =
          share > 0 && share < 1 ? t`Sending ${number} of ${all}, ${percent} %: ${file.name}` : t`Sending ${number} of ${all}: ${file.name}`
      }
      say(0)
      try {
        await sendFile(file, form.dataset.link ?? '', say)
        sent++
      } catch (error) {
        // Without a connection, the others cannot be sent either.
        if (!(error instanceof Refused)) throw error
        problems.push(`${file.name}: ${error.message}`)
      }
    }
  } catch (error) {
    problems.push(error instanceof Refused ? error.message : t`There is no connection.`)
  }
  window.removeEventListener('beforeunload', keepOpen)
  if (problems.length === 0) return location.assign(`/s/${secret}`)
  const done = t`${plural(sent, { one: `# of ${all} sent. Choose the others again.`, other: `# of ${all} sent. Choose the others again.` })}`
  status.textContent = [sent > 0 ? done : '', ...problems].join('\n').trim()
  field.value = ''
  button.disabled = false
  // The button has lost it while it was disabled.
  button.focus()
}

function keepOpen(event: BeforeUnloadEvent): void {
  event.preventDefault()
}
