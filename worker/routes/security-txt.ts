import { Hono } from 'hono'
import { t } from '#say'
import type { AppEnv } from '../context.ts'
import { notFound } from '../http/errors.ts'

/** Days for which the contact is said to be valid. RFC 9116 recommends less than a year. */
const VALID_DAYS = 180
const DAY = 24 * 60 * 60 * 1000

/** Whom to tell about a weakness of this site (RFC 9116). There is none where the site names no contact. */
export const securityTxt = new Hono<AppEnv>().get('/', (c) => {
  const { SECURITY_CONTACT: contact, APP_ORIGIN: origin } = c.env
  if (!contact) throw notFound(t`A contact for security was not found`)
  const today = Math.floor(Date.now() / DAY) * DAY
  const lines = [
    `Contact: ${contact}`,
    `Expires: ${new Date(today + VALID_DAYS * DAY).toISOString()}`,
    'Preferred-Languages: en',
    `Canonical: ${origin}/.well-known/security.txt`,
  ]
  return c.text(`${lines.join('\n')}\n`, 200, { 'cache-control': 'public, max-age=3600' })
})
