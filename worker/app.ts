import { Hono } from 'hono'
import { createMiddleware } from 'hono/factory'
import { t } from '#say'
import { CHANGE_HEADER } from '../contract/bulk.ts'
import { Id } from '../contract/ids.ts'
import { SIGN_IN_HOOK_PATH } from './auth/hook-signature.ts'
import { openDatabase } from './auth/open-database.ts'
import { guardOrigin } from './auth/origin.ts'
import type { AppEnv } from './context.ts'
import { drainBody } from './http/drain-body.ts'
import { AppError, onError } from './http/errors.ts'
import { secureHeaders } from './http/headers.ts'
import { logRequest } from './http/log-request.ts'
import { REPORTS_PATH } from './http/policy-reports.ts'
import { callerLanguage } from './http/preferred-language.ts'
import { inLanguage } from './language.ts'
import { enterRoom } from './live/admission.ts'
import { afterWrite } from './live/change-relay.ts'
import { access } from './routes/access.ts'
import { account } from './routes/account.ts'
import { analytics } from './routes/analytics.ts'
import { assets } from './routes/assets.ts'
import { auth } from './routes/auth.ts'
import { bootstrap } from './routes/bootstrap.ts'
import { bulkRoutes } from './routes/bulk.ts'
import { calendarLinks, calendars } from './routes/calendar.ts'
import { collections } from './routes/collections.ts'
import { answersOf, comments } from './routes/comments.ts'
import { contributions } from './routes/contributions.ts'
import { docs } from './routes/docs.ts'
import { exports } from './routes/export.ts'
import { feed } from './routes/feed.ts'
import { films } from './routes/films.ts'
import { groups } from './routes/groups.ts'
import { guest } from './routes/guest.ts'
import { health } from './routes/health.ts'
import { images } from './routes/images.ts'
import { invites } from './routes/invites.ts'
import { joinRequests } from './routes/join-requests.ts'
import { links, openLinks } from './routes/links.ts'
import { live } from './routes/live.ts'
import { mailAddresses } from './routes/mail-addresses.ts'
import { map } from './routes/map.ts'
import { members } from './routes/members.ts'
import { pages } from './routes/pages.ts'
import { people } from './routes/people.ts'
import { posts } from './routes/posts.ts'
import { preview } from './routes/preview.ts'
import { notices, push } from './routes/push.ts'
import { reports } from './routes/reports.ts'
import { securityTxt } from './routes/security-txt.ts'
import { shared } from './routes/shared.ts'
import { sharedAdding } from './routes/shared-adding.ts'
import { sharedAnswering } from './routes/shared-answering.ts'
import { signInHook } from './routes/sign-in-hook.ts'
import { social } from './routes/social.ts'
import { timeline } from './routes/timeline.ts'
import { tokens } from './routes/tokens.ts'
import { trash } from './routes/trash.ts'
import { undo } from './routes/undo.ts'
import { collectionUsage, usage } from './routes/usage.ts'
import { users } from './routes/users.ts'
import { verification } from './routes/verification.ts'
import { weekly } from './routes/weekly.ts'

/** Sends the id under which the request is logged with every response, so that users can report it. */
const identify = createMiddleware<AppEnv>(async (c, next) => {
  // Clients that bypass the platform can send any value.
  const ray = c.req.header('cf-ray') ?? ''
  c.set('requestId', /^[\w-]{1,64}$/.test(ray) ? ray : crypto.randomUUID())
  await next()
  // Set last, because files replace the headers.
  c.header('x-request-id', c.var.requestId)
})

const prepare = createMiddleware<AppEnv>(async (c, next) => {
  c.set('written', [])
  c.set('db', openDatabase(c))
  const changeId = Id.safeParse(c.req.header(CHANGE_HEADER)).data
  if (changeId) c.set('changeId', changeId)
  await next()
})

/** Errors and pages are in the language of the caller. */
const speak = createMiddleware((c, next) => inLanguage(callerLanguage(c), next))

/** All routes of the API. Every other path is a file of the web app. */
export const app = new Hono<AppEnv>()
  .use(identify)
  .use(speak)
  .use(secureHeaders)
  .use('/api/*', prepare)
  .use('/s/*', prepare)
  .use('/_image/*', prepare)
  .use(SIGN_IN_HOOK_PATH, prepare)
  .use('/api/*', logRequest)
  .use('/_image/*', logRequest)
  .use('/s/*', logRequest)
  .use('/api/*', drainBody)
  .use('/api/*', guardOrigin)
  .use('/s/*', guardOrigin)
  .use('/api/*', afterWrite)
  .use('/s/*', afterWrite)
  .route('/api/health', health)
  .route('/api', docs)
  .route('/api/auth', auth)
  .route('/api/auth', account)
  .route('/api/auth', verification)
  .route('/api/auth', social)
  .route('/api/bootstrap', bootstrap)
  .route('/api/access', access)
  .route('/api/users', users)
  .route('/api/users/tokens', tokens)
  .route('/api/collections', collections)
  .route('/api/collections/:id/invites', invites)
  .route('/api/collections/:id/members', members)
  .route('/api/collections/:id/links', links)
  .route('/api/collections/:id/join-requests', joinRequests)
  .route('/api/collections/:id/contributions', contributions)
  .route('/api/collections/:id/people', people)
  .route('/api/collections/:id/groups', groups)
  .route('/api/collections/:id/timeline', timeline)
  .route('/api/collections/:id/calendar-link', calendarLinks)
  .route('/api/collections/:id/notices', notices)
  .route('/api/collections/:id/mail', mailAddresses)
  .route('/api/collections/:id/export', exports)
  .route('/api/collections/:id/usage', collectionUsage)
  .route('/api/links', openLinks)
  .route('/api/guest', guest)
  .route('/api/calendar', calendars)
  .route('/api/usage', usage)
  .route('/api/feed', feed)
  .route('/api/push', push)
  .route('/api/post', bulkRoutes('post'))
  .route('/api/asset', bulkRoutes('asset'))
  .route('/api/post', answersOf('post'))
  .route('/api/post', posts)
  .route('/api/asset/:id/renditions/film', films)
  .route('/api/asset', answersOf('asset'))
  .route('/api/asset', assets)
  .route('/api/comments', comments)
  .route('/api/trash', trash)
  .route('/api/undo', undo)
  .route('/api/live', live)
  .route('/api/map', map)
  .route('/api/analytics', analytics)
  .all('/api/*', (c) => {
    throw new AppError('not_found', t`There is no call ${c.req.method} ${c.req.path}`)
  })
  .route('/_image', images)
  .route('/_preview', preview)
  .route('/s', weekly)
  .route('/s', shared)
  .route('/s', sharedAnswering)
  .route('/s', sharedAdding)
  .route(REPORTS_PATH, reports)
  .route(SIGN_IN_HOOK_PATH, signInHook)
  .route('/.well-known/security.txt', securityTxt)
  .all('/parties/*', (c) => enterRoom(c.req.raw, c.env))
  .route('/', pages)
  .onError(onError)
