import { expect, test } from 'vitest'
import { invitationMail } from './invite-mail.ts'

const invitation = {
  collection: 'Kyoto',
  inviter: 'Ada Lovelace',
  email: 'bob@example.org',
  link: 'https://cairn.example/collections',
  until: '25 December 2026',
}

test('an invitation mail has the inviter, the collection, the period and the next step', () => {
  const { subject, text, html } = invitationMail(invitation)
  expect(subject).toBe('Ada Lovelace invited you to “Kyoto” on Cairn')
  expect(text).toBe(
    [
      'Ada Lovelace would like to share the collection “Kyoto” with you.',
      'To accept the invitation, sign in or create an account with this address, bob@example.org: https://cairn.example/collections',
      'The invitation is valid until 25 December 2026. If you do not know Ada Lovelace, ignore this e-mail.',
    ].join('\n\n'),
  )
  expect(html).toContain('<a href="https://cairn.example/collections">https://cairn.example/collections</a>')
})

test('the HTML of an invitation mail has the same words as the text', () => {
  const { text, html } = invitationMail(invitation)
  const words = (html.split('<body')[1] ?? '').replace(/^[^>]*>/, '').replace(/<[^>]+>/g, ' ')
  expect(words.replace(/\s+/g, ' ').trim()).toBe(text.replace(/\s+/g, ' '))
})

test('an invitation mail escapes names and loads no resources', () => {
  const { html } = invitationMail({
    ...invitation,
    inviter: '<img onerror=alert(1)>',
    collection: '"><script>alert(1)</script>&amp;',
  })
  expect(html).not.toMatch(/<(img|script)/)
  expect(html).not.toMatch(/\b(src|srcset|background)\s*=|url\(|<link|<style/i)
  expect(html.match(/https?:/g)).toHaveLength(2)
})
