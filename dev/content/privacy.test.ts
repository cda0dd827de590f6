import { readFile } from 'node:fs/promises'
import path from 'node:path'
import { getTableColumns, getTableName, is } from 'drizzle-orm'
import { PgTable } from 'drizzle-orm/pg-core'
import { describe, expect, test } from 'vitest'
import { LIMITS } from '../../contract/limits.ts'
import { CONTENT } from './read-site.ts'

const text = await readFile(path.join(CONTENT, 'pages/privacy.md'), 'utf8')

/** The words on the page for each table that names a user. A new table needs a sentence there first. */
const SAID: Record<string, RegExp> = {
  users: /Your name and e-mail address/,
  collections: /As its owner you can delete it/,
  members: /which collections you are in/,
  people: /Names of people who can be tagged/,
  links: /Links for people without an account/,
  invites: /Invitations, with the address/,
  join_requests: /Your requests to join collections/,
  home_zones: /Your home zones/,
  account_usage: /How many items and bytes you have stored/,
  author_snapshots: /What a post or photo said when its author could last see it/,
  posts: /Posts, photos and files/,
  assets: /Posts, photos and files/,
  comments: /Your comments and reactions/,
  reactions: /Your comments and reactions/,
  post_collections: /Posts, photos and files/,
  asset_collections: /Posts, photos and files/,
  films: /the version of a video that more browsers play/,
  edits: /What was there before a change/,
  changes: /When something in a collection was changed/,
  sessions: /Where you are signed in/,
  tokens: /Access tokens/,
  calendar_links: /A calendar link/,
  feed_visits: /How far you have seen what is new/,
  push_subscriptions: /push service/,
  notices: /notifications/,
  weekly_mails: /Whether you get a weekly mail/,
  guests: /The e-mail address that a guest of a link gave/,
}
const SCHEMA = import.meta.glob<object>('../../worker/db/schema/*.ts', { eager: true })
const PERSONAL = ['user_id', 'user_ids', 'email', 'invited_by']

describe('the privacy page covers all stored personal data', () => {
  const tables = Object.values(SCHEMA)
    .flatMap((file) => Object.values(file))
    .filter((table) => is(table, PgTable))
  const personal = tables.filter((table) => PERSONAL.some((column) => column in getTableColumns(table))).map(getTableName)

  test.each(personal)('The privacy page covers the table %s', (name) => {
    expect(SAID[name], 'is not on the page').toBeDefined()
    expect(text).toMatch(SAID[name] ?? /^$/)
  })

  test.each(['Links for people', 'Who has opened such a link'])('The privacy page says how long this is kept: %s', (begin) => {
    const [line = ''] = text.split('\n').filter((one) => one.startsWith(`| ${begin}`))
    expect(line).toContain(`${LIMITS.endedLinkDays} days after`)
  })

  test('The privacy page covers device storage, browser vendors and deletion', () => {
    for (const said of [
      /photos?, and changes not yet sent \| On your own device/,
      /its maker's push service/,
      /keeps that address until you turn them off or the device is signed out/,
      /Where you are signed in/,
      /delete your\s+account/,
      /ZIP/,
    ])
      expect(text).toMatch(said)
  })
})
