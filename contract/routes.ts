import * as access from './access.ts'
import * as account from './account.ts'
import * as analytics from './analytics.ts'
import * as assets from './assets.ts'
import * as auth from './auth.ts'
import * as batchUploads from './batch-uploads.ts'
import * as bootstrap from './bootstrap.ts'
import { bulkAssets, bulkPosts } from './bulk.ts'
import * as calendar from './calendar.ts'
import * as collections from './collections.ts'
import * as comments from './comments.ts'
import * as contributions from './contributions.ts'
import * as docs from './docs.ts'
import type { Endpoint } from './endpoint.ts'
import * as exports from './export.ts'
import * as feed from './feed.ts'
import * as films from './films.ts'
import * as groups from './groups.ts'
import * as guest from './guest.ts'
import * as health from './health.ts'
import * as importedAnswers from './imported-answers.ts'
import * as invites from './invites.ts'
import * as joinRequests from './join-requests.ts'
import * as links from './links.ts'
import * as rooms from './live.ts'
import * as mailAddresses from './mail-addresses.ts'
import * as mailedLinks from './mailed-links.ts'
import * as map from './map.ts'
import * as members from './members.ts'
import * as people from './people.ts'
import * as pictures from './pictures.ts'
import * as places from './places.ts'
import * as posts from './posts.ts'
import * as push from './push.ts'
import * as reactions from './reactions.ts'
import * as timeline from './timeline.ts'
import * as tokens from './tokens.ts'
import * as trash from './trash.ts'
import * as undo from './undo.ts'
import * as unread from './unread.ts'
import * as usage from './usage.ts'
import * as users from './users.ts'

/** Modules of calls by heading in the OpenAPI document. The suffix makes the names of bulk calls unique. */
const GROUPS: [group: string, calls: object, suffix?: string][] = [
  ['Service', health],
  ['Service', docs],
  ['Sign-in', { ...auth, ...mailedLinks }],
  ['Sign-in', bootstrap],
  ['Account', users],
  ['Account', account],
  ['Account', places],
  ['Access', access],
  ['Access tokens', tokens],
  ['Collections', collections],
  ['Collections', timeline],
  ['Collections', feed],
  ['Collections', calendar],
  ['Collections', mailAddresses],
  ['Collections', exports],
  ['Invitations', invites],
  ['Members', members],
  ['Links', links],
  ['Links', guest],
  ['Links', joinRequests],
  ['Links', contributions],
  ['People', people],
  ['Posts', posts],
  ['Posts in bulk', bulkPosts, 'OfPosts'],
  ['Assets', assets],
  ['Assets', batchUploads],
  ['Assets', films],
  ['Assets', pictures],
  ['Assets', groups],
  ['Assets', unread],
  ['Comments', comments],
  ['Comments', reactions],
  ['Comments', importedAnswers],
  ['Assets in bulk', bulkAssets, 'OfAssets'],
  ['Storage', usage],
  ['Undo and trash', undo],
  ['Undo and trash', trash],
  ['Live rooms', rooms],
  ['Notifications', push],
  ['Map', map],
  ['Analytics', analytics],
]

export interface Call {
  /** Unique: the operationId of the OpenAPI document. */
  name: string
  group: string
  endpoint: Endpoint
}

const isEndpoint = (value: unknown): value is Endpoint =>
  typeof value === 'object' && value !== null && 'method' in value && 'path' in value

export const CALLS: Call[] = GROUPS.flatMap(([group, calls, suffix = '']) =>
  Object.entries(calls).flatMap(([name, endpoint]) => (isEndpoint(endpoint) ? [{ name: name + suffix, group, endpoint }] : [])),
)

/** All calls of the API. Tests compare it with the worker's routes. */
export const ENDPOINTS: Endpoint[] = CALLS.map(({ endpoint }) => endpoint)
