import { expect, test } from 'vitest'
import { invitationMail } from './invite-mail.ts'

const invitation = {
  collection: 'Kyoto',
  inviterName: 'Ada Lovelace',
  inviterEmail: 'ada@example.org',
  email: 'bob@example.org',
  link: 'https://cairn.example/collections',
  until: '25 December 2026',
}

test('an invitation mail has the inviter, the collection, the period and the next step, and no words of the inviter in the subject', () => {
  const { subject, text, html } = invitationMail(invitation)
  expect(subject).toBe('You are invited to a collection on Cairn')
  expect(text).toBe(
    [
      'Ada Lovelace (ada@example.org) would like to share the collection “Kyoto” with you.',
      'To accept the invitation, sign in or create an account with this address, bob@example.org: https://cairn.example/collections',
      'The invitation is valid until 25 December 2026. If you do not know Ada Lovelace, ignore this e-mail.',
    ].join('\n\n'),
  )
  expect(html).toContain('<a href="https://cairn.example/collections">https://cairn.example/collections</a>')
})

test('an inviter without a name appears with the confirmed address, and a collection without a usable name without one', () => {
  const { text } = invitationMail({ ...invitation, inviterName: null, collection: 'https://win.example/now' })
  expect(text).toContain('ada@example.org would like to share a collection with you.')
  expect(text).toContain('If you do not know ada@example.org, ignore this e-mail.')
})

test('the HTML of an invitation mail has the same words as the text', () => {
  const { text, html } = invitationMail(invitation)
  const words = (html.split('<body')[1] ?? '').replace(/^[^>]*>/, '').replace(/<[^>]+>/g, ' ')
  expect(words.replace(/\s+/g, ' ').trim()).toBe(text.replace(/\s+/g, ' '))
})

test('an invitation mail escapes names and loads no resources', () => {
  const { html } = invitationMail({
    ...invitation,
    inviterName: '<img onerror=alert(1)>',
    collection: '"><script>alert(1)</script>&amp;',
  })
  expect(html).not.toMatch(/<(img|script)/)
  expect(html).not.toMatch(/\b(src|srcset|background)\s*=|url\(|<link|<style/i)
  expect(html.match(/https?:/g)).toHaveLength(2)
})
