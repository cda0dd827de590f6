import { sql } from 'drizzle-orm'
import type { Dates } from '../../contract/date-format.ts'
import type { DateSettings } from '../../contract/date-settings.ts'
import type { AnswerRole, Role } from '../../contract/policy.ts'
import { type Db, firstRow, rows } from '../db/client.ts'
import { IS_NEWS } from './comment-news.ts'
import { EXCERPT } from './feed.ts'
import { SHOWN_AS } from './group-shape.ts'
import { IMAGE_SOURCE, type ImageSource } from './images.ts'
import { COUNTED, COVERED, fresh, type News } from './news.ts'
import { displayNameOf, ITEMS } from './permissions.ts'
import { DATE_ZONE, placeSeen } from './places.ts'
import { assetSeenBy } from './post-shape.ts'
import type { Languages } from './users.ts'

/** Readers per run of the minute's task, each with some twenty calls of the database, the storage and the mail service. */
const BATCH = 20
/** Shown in one mail. */
const MAX = { pictures: 6, posts: 5, days: 3 }

/** A mail that is due, and its reader: a member (`user`), or a guest with their access. */
export interface DueMail {
  id: string
  /** Differs from week to week. */
  week: string
  collectionId: string
  title: string
  /** Of the collection. */
  answers: AnswerRole | null
  email: string
  /** What is newer than this is news. */
  since: string
  timeZone: string | null
  user: { id: string; role: Role; dates: Omit<DateSettings, 'timeZone'> & Languages } | null
  guest: { link: string; guest: string; access: string; answers: boolean; adds: boolean; approve: boolean; language: string | null } | null
  /** The secret of the address at which the collection takes mail. */
  mailAddress: string | null
}

/**
 * Claims the mails that are due: each is due again next Monday, so that no run sends it twice in a week. Not returned are those of muted collections, of members
 * whose address is another one now, and of guests whose link has ended or has another password.
 */
export function claimWeeklyMails(db: Db): Promise<DueMail[]> {
  return rows(
    db,
    sql`with due as materialized (
      select w.id, w.due_at, coalesce(n.muted, false) as muted, coalesce(u.time_zone, w.time_zone) as zone from weekly_mails w
      left join users u on u.id = w.user_id left join notices n on n.collection_id = w.collection_id and n.user_id = w.user_id
      where w.due_at <= now() order by w.due_at limit ${BATCH} for update of w skip locked
    ),
    claimed as (
      update weekly_mails w set due_at = next_monday(due.zone, now()), told_at = case when due.muted then now() else w.told_at end
      from due where due.id = w.id returning w.*, due.due_at as week, due.muted, due.zone
    )
    select w.id, w.week::date::text as week, w.collection_id as "collectionId", coalesce(l.name, c.name) as title, c.answers, coalesce(u.email, g.email)::text as email,
      w.told_at::text as since, w.zone as "timeZone",
      case when u.id is not null then json_build_object('id', u.id, 'role', m.role, 'dates',
        json_build_object('displayLanguage', u.display_language, 'language', u.language, 'region', u.region, 'hours', u.hours, 'firstDay', u.first_day)) end as user,
      case when l.id is not null then json_build_object('link', l.id, 'guest', g.id, 'access', g.access, 'answers', l.allows <> 'look',
        'adds', l.allows = 'add', 'approve', l.approve, 'language', w.language) end as guest,
      a.secret as "mailAddress"
    from claimed w join collections c on c.id = w.collection_id and c.deleted_at is null
    left join members m on m.collection_id = w.collection_id and m.user_id = w.user_id
    left join users u on u.id = m.user_id and u.email = w.verified_email and u.deleted_at is null
    left join guests g on g.id = w.guest_id and g.access is not null and g.email is not null
    left join links l on l.id = g.link_id and link_open(l)
    left join mail_addresses a on a.collection_id = w.collection_id
    where not w.muted and (u.id is not null or l.id is not null)`,
  )
}

export interface WeeklyPicture extends ImageSource, Dates {
  alt: string | null
}

export interface WeeklyPost extends Dates {
  id: string
  title: string
  excerpt: string
  author: string
}

/** A day of an earlier year on today's date. */
export interface WeeklyDay {
  /** `YYYY-MM-DD` */
  day: string
  title: string | null
  photos: number
  videos: number
  files: number
  picture: WeeklyPicture | null
}

/** What is new to a reader. The counts add up to at most MAX_COUNTED. */
export interface WeeklyNews extends Omit<News, 'userId' | 'collectionId' | 'collection' | 'author' | keyof Languages> {
  author: string | null
  comments: number
  pictures: WeeklyPicture[]
  newPosts: WeeklyPost[]
  days: WeeklyDay[]
  /** Everything up to this moment is among it. */
  until: string
}

/** Fields of asset `i` with what the reader may know of its date. They read `placeSeen`. */
const PICTURE = sql`select ${IMAGE_SOURCE}, i.alt, i.date, ${DATE_ZONE} as date_zone, i.date_precision`
const HAS_PICTURE = sql`(i.renditions ? 'thumb' or i.renditions ? 'preview')`

/**
 * For members and, over the views of the schema `guest`, for guests: whatever is hidden from the reader is not in it. `days` are those of earlier years to look
 * up. Null if the reader sees the collection no more.
 */
export function findWeeklyNews(
  db: Db,
  userId: string,
  { collectionId, since, days }: { collectionId: string; since: string; days: readonly string[] },
): Promise<WeeklyNews | null> {
  return firstRow(
    db,
    sql`with g as materialized (
      select m.collection_id, m.user_id, ${since}::timestamptz as since from memberships m join collections c on c.id = m.collection_id and c.deleted_at is null
      where m.collection_id = ${collectionId} and m.user_id = ${userId}
    ),
    pictured as materialized (
      select l.asset_id, l.added_at from g cross join lateral (select l.* ${fresh('asset')} and not ${COVERED}
        and exists (select from assets i where i.id = l.asset_id and ${HAS_PICTURE}) order by l.added_at desc limit ${MAX.pictures}) l
    ),
    written as materialized (select l.post_id, l.added_at from g cross join lateral (select l.* ${fresh('post')} order by l.added_at desc limit ${MAX.posts}) l),
    days as materialized (
      select d.day, posts.title, coalesce(assets.photos, 0) as photos, coalesce(assets.videos, 0) as videos, coalesce(assets.total, 0) - coalesce(assets.photos, 0) - coalesce(assets.videos, 0) as files,
        coalesce(posts.cover, assets.cover) as cover
      from g cross join unnest(${`{${days.join(',')}}`}::date[]) d (day)
      cross join lateral (
        select count(*) as total, (array_agg(i.title order by l.sort_at desc, i.id desc))[1] as title,
          (array_agg((select a.id from post_assets pa join assets a on a.id = pa.asset_id where pa.post_id = i.id and a.renditions ? 'thumb' and ${assetSeenBy(userId)}
            order by pa.position, a.id limit 1) order by l.sort_at desc, i.id desc))[1] as cover
        from post_collections l join posts i on i.id = l.post_id where l.collection_id = g.collection_id and ${ON_DAY}
      ) posts
      cross join lateral (
        select count(*) as total, count(*) filter (where i.type like 'image/%') as photos, count(*) filter (where i.type like 'video/%') as videos,
          (array_agg(i.id order by l.sort_at, i.id) filter (where ${HAS_PICTURE}))[1] as cover
        from asset_collections l join assets i on i.id = l.asset_id where l.collection_id = g.collection_id and ${ON_DAY}
          and l.asset_id = ${SHOWN_AS}
      ) assets
      where posts.total + assets.total > 0 order by d.day desc limit ${MAX.days}
    )
    select ${displayNameOf} as author, (counted.authors - 1)::int as others, counted.posts::int, counted.photos::int, counted.videos::int,
      (counted.total - counted.posts - counted.photos - counted.videos)::int as files, said.total::int as comments, now()::text as until,
      (select coalesce(json_agg(picture order by n.added_at desc, n.asset_id), '[]') from pictured n
        cross join lateral (${PICTURE} from assets i cross join lateral ${placeSeen('asset', userId)} placed where i.id = n.asset_id) picture) as pictures,
      (select coalesce(json_agg(json_build_object('id', i.id, 'title', i.title, 'excerpt', ${EXCERPT},
          'author', (select ${displayNameOf} from users u where u.id = i.user_id), 'date', i.date, 'date_zone', ${DATE_ZONE}, 'date_precision', i.date_precision)
          order by n.added_at desc, i.id), '[]')
        from written n join posts i on i.id = n.post_id and ${ITEMS.post.live} cross join lateral ${placeSeen('post', userId)} placed) as "newPosts",
      (select coalesce(json_agg(json_build_object('day', d.day, 'title', d.title, 'photos', d.photos, 'videos', d.videos, 'files', d.files, 'picture', (
          select to_json(picture) from (${PICTURE} from assets i cross join lateral ${placeSeen('asset', userId)} placed where i.id = d.cover) picture))
          order by d.day desc), '[]') from days d) as days
    from g cross join lateral ${COUNTED} counted
    cross join lateral (
      select count(*) as total from comments s where s.collection_id = g.collection_id and s.created_at > g.since and s.user_id <> g.user_id
        and ${IS_NEWS}
        and (exists (select from post_collections l where l.collection_id = g.collection_id and l.post_id = s.post_id and l.live)
          or exists (select from asset_collections l where l.collection_id = g.collection_id and l.asset_id = s.asset_id and l.live))
    ) said
    left join users u on u.id = counted.newest`,
  )
}

/** Link `l` and item `i` of day `d`, where it happened. */
const ON_DAY = sql`l.live and l.sort_at >= (d.day - 1)::timestamp at time zone 'UTC' and l.sort_at < (d.day + 2)::timestamp at time zone 'UTC'
  and i.date_precision in ('minute', 'day') and (i.date at time zone public.zone_of(i.date_zone))::date = d.day`

/** The reader has been told of everything up to this moment. */
export async function recordTold(db: Db, id: string, until: string): Promise<void> {
  await rows(db, sql`update weekly_mails set told_at = ${until}::timestamptz where id = ${id}`)
}

/** Ends the mail, and forgets the address that a guest left for it. */
export async function endWeeklyMail(db: Db, mail: { id: string } | { guest: string }): Promise<void> {
  await rows(
    db,
    sql`with gone as (delete from weekly_mails where ${'id' in mail ? sql`id = ${mail.id}` : sql`guest_id = ${mail.guest}`} returning guest_id)
    update guests set email = null from gone where guests.id = gone.guest_id`,
  )
}

export async function hasWeeklyMail(db: Db, guest: string): Promise<boolean> {
  return (await firstRow(db, sql`select from weekly_mails where guest_id = ${guest}`)) !== null
}

interface ConfirmedGuest {
  id: string
  guest: string
  access: string
  email: string
  timeZone: string | null
  language: string
}

/** Begins the mail for a guest who has confirmed the address. Returns their mail and link, or null if they may come in no more. */
export function beginGuestsMail(
  db: Db,
  { id, guest, access, email, timeZone, language }: ConfirmedGuest,
): Promise<{ id: string; link: string } | null> {
  return firstRow(
    db,
    sql`with reader as (
      update guests g set email = ${email} from links l
      where g.id = ${guest} and g.access = ${access}::uuid and l.id = g.link_id and link_open(l) returning g.id, l.collection_id, l.id as link
    ),
    begun as (
      insert into weekly_mails (id, collection_id, guest_id, time_zone, language, due_at)
      select ${id}::uuid, r.collection_id, r.id, ${timeZone}, ${language}, next_monday(${timeZone}, now()) from reader r
      on conflict (guest_id) do update set time_zone = excluded.time_zone, language = excluded.language returning id
    )
    select begun.id, reader.link from begun, reader`,
  )
}
