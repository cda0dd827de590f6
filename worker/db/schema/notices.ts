import { sql } from 'drizzle-orm'
import { boolean, check, foreignKey, index, pgTable, primaryKey, text, unique, uuid } from 'drizzle-orm/pg-core'
import { users } from './accounts.ts'
import { collections, invites, members } from './collections.ts'
import { citext, createdAt, moment } from './columns.ts'
import { guests } from './guests.ts'
import { sessions } from './sessions.ts'

/** Time up to which a user has seen the feed, on any device. */
export const feedVisits = pgTable('feed_visits', {
  user_id: text('user_id')
    .primaryKey()
    .references(() => users.id, { onDelete: 'cascade' }),
  seen_at: moment('seen_at').notNull(),
})

/** Browsers that notifications are sent to (queries/push.ts), until the session that subscribed them ends. `verified_email` is the address that was confirmed when the browser subscribed. */
export const pushSubscriptions = pgTable(
  'push_subscriptions',
  {
    id: uuid('id').primaryKey(),
    user_id: text('user_id')
      .notNull()
      .references(() => users.id, { onDelete: 'cascade' }),
    session_id: uuid('session_id')
      .notNull()
      .references(() => sessions.id, { onDelete: 'cascade' }),
    endpoint: text('endpoint').notNull().unique('push_subscriptions_endpoint'),
    p256dh: text('p256dh').notNull(),
    auth: text('auth').notNull(),
    verified_email: citext('verified_email'),
    created_at: createdAt(),
  },
  (t) => [
    index('push_subscriptions_user').on(t.user_id),
    index('push_subscriptions_session').on(t.session_id),
    check('push_subscriptions_length', sql`length(${t.endpoint}) <= 1000`),
  ],
)

/** Notifications of a member about a collection. None while it is muted. `told_at`: time up to which they have been notified. */
export const notices = pgTable(
  'notices',
  {
    collection_id: uuid('collection_id').notNull(),
    user_id: text('user_id').notNull(),
    muted: boolean('muted').notNull().default(false),
    told_at: moment('told_at'),
    /** The same for comments. */
    answers_told_at: moment('answers_told_at'),
  },
  (t) => [
    primaryKey({ columns: [t.collection_id, t.user_id] }),
    foreignKey({
      columns: [t.collection_id, t.user_id],
      foreignColumns: [members.collection_id, members.user_id],
      name: 'notices_member',
    }).onDelete('cascade'),
  ],
)

/**
 * Refreshes of sessions whose credential can be used only once. The request that claims the row calls the sign-in service; others read the
 * result. `key` is a hash of the credential, `sealed` the new session, which only the worker can open.
 */
export const refreshes = pgTable(
  'refreshes',
  {
    key: text('key').primaryKey(),
    claim: text('claim').notNull(),
    /** Another request may take over after this time. Also determines when the row is swept. */
    claimed_until: moment('claimed_until').notNull(),
    state: text('state').notNull().default('claimed'),
    sealed: text('sealed'),
  },
  (t) => [
    index('refreshes_claimed').on(t.claimed_until),
    check('refreshes_state', sql`${t.state} in ('claimed', 'failed', 'done', 'refused', 'ended')`),
    check('refreshes_sealed', sql`(${t.sealed} is not null) = (${t.state} = 'done')`),
  ],
)

/** Members and guests who want a weekly mail about a collection. */
export const weeklyMails = pgTable(
  'weekly_mails',
  {
    id: uuid('id').primaryKey(),
    collection_id: uuid('collection_id')
      .notNull()
      .references(() => collections.id, { onDelete: 'cascade' }),
    user_id: text('user_id'),
    guest_id: uuid('guest_id')
      .unique('weekly_mails_guest')
      .references(() => guests.id, { onDelete: 'cascade' }),
    /** Of a member: their address, which was confirmed when they asked for the mail. Another one gets none. */
    verified_email: citext('verified_email'),
    /** IANA name, of the browser that asked. A member's own one in `users` comes first. */
    time_zone: text('time_zone'),
    /** Of a guest: the language in which they confirmed the address. */
    language: text('language'),
    /** When the next one is due, in the morning of the reader's time zone. */
    due_at: moment('due_at').notNull(),
    /** The next mail has everything that is newer than this. */
    told_at: moment('told_at').notNull().defaultNow(),
    created_at: createdAt(),
  },
  (t) => [
    unique('weekly_mails_member').on(t.collection_id, t.user_id),
    index('weekly_mails_due').on(t.due_at),
    foreignKey({
      columns: [t.collection_id, t.user_id],
      foreignColumns: [members.collection_id, members.user_id],
      name: 'weekly_mails_membership',
    }).onDelete('cascade'),
    check('weekly_mails_reader', sql`num_nonnulls(${t.user_id}, ${t.guest_id}) = 1 and num_nulls(${t.user_id}, ${t.verified_email}) <> 1`),
  ],
)

/** Invitations of which the invited person has not been told, by mail and in their browsers. */
export const invitesToTell = pgTable(
  'invites_to_tell',
  {
    invite_id: uuid('invite_id')
      .primaryKey()
      .references(() => invites.id, { onDelete: 'cascade' }),
    /** When the minute's task tries next. */
    due_at: moment('due_at').notNull(),
  },
  (t) => [index('invites_to_tell_due').on(t.due_at)],
)
