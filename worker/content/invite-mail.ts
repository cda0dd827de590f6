import { escapeHtml } from '../../contract/text.ts'

export interface MailContent {
  subject: string
  text: string
  /** The same text with a link. Loads no resources, so the mail cannot be tracked. */
  html: string
  link: string
}

interface Invitation {
  collection: string
  inviter: string
  email: string
  link: string
  /** The last day on which it can be accepted, as the invited person writes dates. */
  until: string
}

export function invitationMail({ collection, inviter, email, link, until }: Invitation): MailContent {
  const [first, second, last] = [
    `${inviter} would like to share the collection “${collection}” with you.`,
    `To accept the invitation, sign in or create an account with this address, ${email}:`,
    `The invitation is valid until ${until}. If you do not know ${inviter}, ignore this e-mail.`,
  ]
  return {
    subject: `${inviter} invited you to “${collection}” on Cairn`,
    text: [first, `${second} ${link}`, last].join('\n\n'),
    html: page([`<p>${escapeHtml(first)}</p>`, `<p>${escapeHtml(second)}<br>${anchor(link)}</p>`, `<p>${escapeHtml(last)}</p>`].join('\n')),
    link,
  }
}

function page(body: string): string {
  return `<!doctype html>
<html lang="en">
<head><meta charset="utf-8"><meta name="color-scheme" content="light dark"></head>
<body style="font-family: system-ui, sans-serif; line-height: 1.5; max-width: 36rem; margin: 0 auto; padding: 1rem">
${body}
</body>
</html>`
}

const anchor = (link: string) => `<a href="${escapeHtml(link)}">${escapeHtml(link)}</a>`
