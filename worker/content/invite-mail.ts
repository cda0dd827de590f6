import { escapeHtml } from '../../contract/text.ts'

export interface Letter {
  subject: string
  text: string
  /** The same words with a link to press; nothing in it is loaded from anywhere, so that nobody learns when it is read. */
  html: string
  link: string
}

interface Invitation {
  collection: string
  inviter: string
  email: string
  link: string
  days: number
}

/** What somebody reads who was invited to a collection. */
export function invitationMail({ collection, inviter, email, link, days }: Invitation): Letter {
  const [first, second, last] = [
    `${inviter} would like to share the collection “${collection}” with you.`,
    `Sign in or register with this address, ${email}, and accept the invitation:`,
    `It is open for ${days} days. If you do not know ${inviter}, you need not do anything.`,
  ]
  return {
    subject: `${inviter} invites you to “${collection}” in Cairn`,
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
