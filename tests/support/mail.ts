import { inject } from 'vitest'

export interface Mail {
  to: string
  subject: string
  text: string
  html?: string
  link?: string
  replyTo?: string
  headers?: Record<string, string>
  attachments?: { name: string; type: string; content: string; cid: string }[]
}

/** All mail to this address, newest first. */
export async function mailsTo(to: string): Promise<Mail[]> {
  return (await fetch(`${inject('stack').control}/mail?${new URLSearchParams({ to })}`)).json()
}

/** Waits for the newest mail to this address whose subject contains these words. */
export async function mailTo(to: string, words: string, timeout = 30_000): Promise<Mail> {
  const end = Date.now() + timeout
  for (;;) {
    const mail = (await mailsTo(to)).find(({ subject }) => subject.includes(words))
    if (mail) return mail
    if (Date.now() > end) throw new Error(`No mail to ${to} about "${words}"`)
    await new Promise((resolve) => setTimeout(resolve, 100))
  }
}

/** The token in the link of the newest such mail. */
export async function mailedToken(to: string, words: string): Promise<string> {
  return new URL((await mailTo(to, words)).link ?? '').searchParams.get('token') ?? ''
}

/** How many mails with these words in the subject have been sent to this address. */
export async function countMails(to: string, words: string): Promise<number> {
  return (await mailsTo(to)).filter(({ subject }) => subject.includes(words)).length
}
