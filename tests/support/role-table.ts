import { ERROR_STATUS, type Refusal } from '../../contract/errors.ts'
import { newId } from '../../contract/ids.ts'
import { ENDPOINTS } from '../../contract/routes.ts'
import { type Answer, Client } from '../../dev/http-client.ts'
import { FILM } from './files.ts'
import { file, ONE_BYTE, PIXEL, type Scene } from './role-scene.ts'
import { type Actor, PASSWORD } from './world.ts'

export type Row = [
  what: string,
  expected: [read: number, write: number, admin: number, owner: number],
  call: (who: Client, scene: Scene) => Promise<Answer>,
  /**
   * Expected status for users who are not members. By default 404, for invited users too. For a guest of a link to the whole collection, by default that of
   * a reader if guests may make the call, else 401.
   */
  outside?: { stranger?: number; invited?: number; guest?: number },
]

const ALL: Row[1] = [200, 200, 200, 200]
const WRITERS: Row[1] = [403, 200, 200, 200]
const MAKERS: Row[1] = [403, 201, 201, 201]
const ADMINS: Row[1] = [403, 403, 200, 200]
const ALL_MAKE: Row[1] = [201, 201, 201, 201]
const OWNER: Row[1] = [403, 403, 403, 200]
const NOBODY: Row[1] = [403, 403, 403, 403]
const MISSING: Row[1] = [404, 404, 404, 404]
const ANYBODY = { stranger: 200, invited: 200 }
/** Those outside have nothing of their own in the scene. What guests write is in tests/api/guest-answers.test.ts. */
const NOT_THEIRS = { guest: 403 }
const SUBSCRIPTION = {
  endpoint: 'https://push.example.org/send/2',
  keys: { p256dh: `B${'A'.repeat(86)}`, auth: 'A'.repeat(22) },
}
const NEW_FILM = { type: 'video/mp4', size: FILM.bytes.length, checksum: FILM.checksum }
const NOTE = { type: 'note', title: 'Hi' }
const THEME = { primary: 'teal', neutral: 'tea', radius: 0.25, blackAsPrimary: false }

/** The call succeeds whatever becomes of its files, so the answer is that of its one file. */
async function addSeveral(who: Client, { collection }: Scene): Promise<Answer> {
  const answer = await who.post('/api/asset/batch', { assets: [{ ...file(), collectionIds: [collection] }] })
  const error: Refusal | undefined = answer.body.results?.[0].error
  return error ? { ...answer, status: ERROR_STATUS[error.code], body: { error } } : answer
}

/** Every bulk edit of one item in the collection. */
function bulkRows(kind: 'post' | 'asset', what: string, expected: Row[1], pick: (scene: Scene) => string): Row[] {
  const path = `/api/${kind}/bulk`
  return [
    [
      `set the date of ${what} in bulk`,
      expected,
      (who, scene) => who.post(`${path}.date`, { ids: [pick(scene)], date: '2026-05-01T10:00:00Z' }),
    ],
    [
      `set the location of ${what} in bulk`,
      expected,
      (who, scene) => who.post(`${path}.location`, { ids: [pick(scene)], location: { lat: 1, lon: 2 } }),
    ],
    [`tag ${what} in bulk`, expected, (who, scene) => who.post(`${path}.people`, { ids: [pick(scene)], add: [scene.person] })],
    [
      `remove ${what} from the collection in bulk`,
      expected,
      (who, scene) => who.put(`${path}.collections.remove`, { ids: [pick(scene)], collectionId: scene.collection }),
    ],
    [`trash ${what} in bulk`, expected, (who, scene) => who.delete(path, { ids: [pick(scene)] })],
  ]
}

const HEART = encodeURIComponent('❤️')

const imported = ({ collection }: Scene) => ({
  collection_id: collection,
  comments: [{ id: newId(), originalAuthor: 'Oma', text: 'Lovely', createdAt: '2019-05-01T10:00:00Z' }],
  reactions: [],
})

/** What members say about an item of another, and what they bring to an own one. */
function answerRows(kind: 'post' | 'asset', pick: (scene: Scene) => string, own: (scene: Scene) => string): Row[] {
  const what = kind === 'post' ? 'a post' : 'an asset'
  const path = (scene: Scene) => `/api/${kind}/${pick(scene)}`
  const reaction = (scene: Scene) => `${path(scene)}/reactions/${HEART}?collection_id=${scene.collection}`
  return [
    [`see comments on ${what}`, ALL, (who, scene) => who.get(`${path(scene)}/comments?collection_id=${scene.collection}`)],
    [
      `comment on ${what}`,
      ALL_MAKE,
      (who, scene) => who.post(`${path(scene)}/comments`, { collection_id: scene.collection, text: 'Lovely' }),
    ],
    [`react to ${what}`, ALL, (who, scene) => who.put(reaction(scene))],
    [`take a reaction to ${what} back`, ALL, (who, scene) => who.delete(reaction(scene))],
    [
      `import comments to ${what} of one's own`,
      WRITERS,
      (who, scene) => who.post(`/api/${kind}/${own(scene)}/imported-answers`, imported(scene)),
    ],
    [`import comments to ${what}`, NOBODY, (who, scene) => who.post(`${path(scene)}/imported-answers`, imported(scene))],
  ]
}

/** One row for each call. */
export const TABLE: Row[] = [
  ['see the collection', ALL, (who, { path }) => who.get(path)],
  ['see the theme of the collection', ALL, (who, { path }) => who.get(`${path}/theme`)],
  ['see members', ALL, (who, { path }) => who.get(`${path}/members`)],
  ['see people', ALL, (who, { path }) => who.get(`${path}/people`)],
  ['see unlinked people', ALL, (who, { path }) => who.get(`${path}/people/unlinked`)],
  ['see posts', ALL, (who, { collection }) => who.get(`/api/post?collection_id=${collection}`)],
  ['see assets', ALL, (who, { collection }) => who.get(`/api/asset?collection_id=${collection}`)],
  ['see a post', ALL, (who, { tomsPost }) => who.get(`/api/post/${tomsPost}`)],
  ['see an asset', ALL, (who, { tomsAsset }) => who.get(`/api/asset/${tomsAsset}`)],
  ['see a group', ALL, (who, { path, group }) => who.get(`${path}/groups/${group}`)],
  ['see counts per month', ALL, (who, { path }) => who.get(`${path}/timeline`)],
  ['see the own calendar link', ALL, (who, { path }) => who.get(`${path}/calendar-link`)],
  ['make a calendar link', ALL, (who, { path }) => who.put(`${path}/calendar-link`, {})],
  ['revoke the own calendar link', ALL, (who, { path }) => who.delete(`${path}/calendar-link`)],
  ['see the address for posts by mail', WRITERS, (who, { path }) => who.get(`${path}/mail`)],
  ['turn posts by mail on', ADMINS, (who, { path }) => who.put(`${path}/mail`)],
  ['turn posts by mail off', ADMINS, (who, { path }) => who.delete(`${path}/mail`)],
  ['see how full the collection is', ALL, (who, { path }) => who.get(`${path}/usage`)],
  ['export the collection', ALL, (who, { path }) => who.get(`${path}/export`)],
  ['see whether the collection is muted', ALL, (who, { path }) => who.get(`${path}/notices`)],
  ['mute the collection', ALL, (who, { path }) => who.put(`${path}/notices`, { muted: true })],
  ['open the original file of an asset', ALL, (who, { photo }) => who.get(`/api/asset/${photo}/file`)],
  ['see the thumb of an asset', ALL, (who, { photo }) => who.get(`/api/asset/${photo}/renditions/thumb`)],
  ['see the playable film of a video', ALL, (who, { film }) => who.get(`/api/asset/${film}/renditions/film`)],
  ['see a rendition of an asset', ALL, (who, { photo }) => who.get(`/_image/w_320/${photo}`)],
  ['join the room of the collection', ALL, (who, { collection }) => who.post('/api/live/ticket', { room: `collection:${collection}` })],

  ['add a post', MAKERS, (who, { collection }) => who.post('/api/post', { ...NOTE, collectionIds: [collection] })],
  ['add an asset', MAKERS, (who, { collection }) => who.post('/api/asset', { ...file(), collectionIds: [collection] })],
  ['add several assets', WRITERS, addSeveral],
  ['see the state of an own upload', WRITERS, (who, { ownUpload }) => who.get(`/api/asset/${ownUpload}/upload`)],
  ['send a part of an own upload', WRITERS, (who, { ownUpload }) => who.put(`/api/asset/${ownUpload}/parts/1`, ONE_BYTE.bytes)],
  [
    'complete an own upload',
    WRITERS,
    async (who, { ownUpload }) => {
      await who.put(`/api/asset/${ownUpload}/parts/1`, ONE_BYTE.bytes)
      return who.post(`/api/asset/${ownUpload}/complete`)
    },
  ],
  [
    'send a thumb of an own asset',
    WRITERS,
    (who, { ownAsset }) => who.put(`/api/asset/${ownAsset}/renditions/thumb`, PIXEL, { type: 'image/webp' }),
  ],
  [
    'send a thumb of an asset of another',
    MISSING,
    (who, { tomsAsset }) => who.put(`/api/asset/${tomsAsset}/renditions/thumb`, PIXEL, { type: 'image/webp' }),
  ],
  ['see which own assets a device has to read', ALL, (who) => who.get('/api/asset/unread'), ANYBODY],
  [
    'complete an own asset with what is in its file',
    WRITERS,
    (who, { ownAsset }) => who.post(`/api/asset/${ownAsset}/metadata`, { duration: 2 }),
  ],
  ['complete an asset of another', MISSING, (who, { tomsAsset }) => who.post(`/api/asset/${tomsAsset}/metadata`, { duration: 2 })],
  [
    'begin a playable film of an own video',
    WRITERS,
    (who, { ownVideo }) => who.post(`/api/asset/${ownVideo}/renditions/film`, { ...NEW_FILM, size: 10 }),
  ],
  ['begin a playable film of a video of another', MISSING, (who, { film }) => who.post(`/api/asset/${film}/renditions/film`, NEW_FILM)],
  ['see the state of an own playable film', WRITERS, (who, { ownVideo }) => who.get(`/api/asset/${ownVideo}/renditions/film/upload`)],
  [
    'send a part of an own playable film',
    WRITERS,
    (who, { ownVideo }) => who.put(`/api/asset/${ownVideo}/renditions/film/parts/1`, FILM.bytes),
  ],
  [
    'complete an own playable film',
    WRITERS,
    async (who, { ownVideo }) => {
      await who.put(`/api/asset/${ownVideo}/renditions/film/parts/1`, FILM.bytes)
      return who.post(`/api/asset/${ownVideo}/renditions/film/complete`)
    },
  ],
  ['discard an own unfinished film', WRITERS, (who, { ownVideo }) => who.delete(`/api/asset/${ownVideo}/renditions/film/upload`)],
  ['discard an unfinished film of another', MISSING, (who, { film }) => who.delete(`/api/asset/${film}/renditions/film/upload`)],
  ['delete an own playable film', WRITERS, (who, { ownVideo }) => who.delete(`/api/asset/${ownVideo}/renditions/film`)],
  ['delete the playable film of another', ADMINS, (who, { tomsAsset }) => who.delete(`/api/asset/${tomsAsset}/renditions/film`)],
  [
    'link an own post',
    WRITERS,
    (who, { collection, unattachedPost }) => who.post(`/api/post/${unattachedPost}/collections`, { collectionIds: [collection] }),
  ],
  [
    'link an own asset',
    WRITERS,
    (who, { collection, unattachedAsset }) => who.post(`/api/asset/${unattachedAsset}/collections`, { collectionIds: [collection] }),
  ],
  [
    'link a post of another',
    NOBODY,
    (who, { collection, tomsPost }) => who.post(`/api/post/${tomsPost}/collections`, { collectionIds: [collection] }),
  ],
  [
    'link an asset of another',
    NOBODY,
    (who, { collection, tomsAsset }) => who.post(`/api/asset/${tomsAsset}/collections`, { collectionIds: [collection] }),
  ],

  ['copy an own post', [201, 201, 201, 201], (who, { ownPost }) => who.post(`/api/post/${ownPost}/copy`, {})],
  ['copy a post of another', NOBODY, (who, { tomsPost }) => who.post(`/api/post/${tomsPost}/copy`, {})],
  ['copy an asset of another', NOBODY, (who, { tomsAsset }) => who.post(`/api/asset/${tomsAsset}/copy`, {})],
  ['edit an own post', WRITERS, (who, { ownPost }) => who.patch(`/api/post/${ownPost}`, { title: 'New' })],
  ['replace an own post', WRITERS, (who, { ownPost }) => who.put(`/api/post/${ownPost}`, NOTE)],
  ['edit an own asset', WRITERS, (who, { ownAsset }) => who.put(`/api/asset/${ownAsset}`, { alt: 'New' })],
  ['edit a post of another', ADMINS, (who, { tomsPost }) => who.patch(`/api/post/${tomsPost}`, { title: 'New' })],
  ['replace a post of another', ADMINS, (who, { tomsPost }) => who.put(`/api/post/${tomsPost}`, NOTE)],
  ['edit an asset of another', ADMINS, (who, { tomsAsset }) => who.put(`/api/asset/${tomsAsset}`, { alt: 'New' })],
  ['trash an own post', WRITERS, (who, { ownPost }) => who.delete(`/api/post/${ownPost}`)],
  ['trash an own asset', WRITERS, (who, { ownAsset }) => who.delete(`/api/asset/${ownAsset}`)],
  ['trash a post of another', ADMINS, (who, { tomsPost }) => who.delete(`/api/post/${tomsPost}`)],
  ['trash an asset of another', ADMINS, (who, { tomsAsset }) => who.delete(`/api/asset/${tomsAsset}`)],

  [
    'remove an own post from the collection',
    WRITERS,
    (who, { collection, ownPost }) => who.delete(`/api/post/${ownPost}/collections/${collection}`),
  ],
  [
    'remove a post of another from the collection',
    ADMINS,
    (who, { collection, tomsPost }) => who.delete(`/api/post/${tomsPost}/collections/${collection}`),
  ],
  [
    'remove an own asset from the collection',
    WRITERS,
    (who, { collection, ownAsset }) => who.delete(`/api/asset/${ownAsset}/collections/${collection}`),
  ],
  [
    'remove an asset of another from the collection',
    ADMINS,
    (who, { collection, tomsAsset }) => who.delete(`/api/asset/${tomsAsset}/collections/${collection}`),
  ],
  [
    'group own assets with those of another',
    [403, 403, 201, 201],
    (who, { path, ownAsset, tomsAsset, photo }) =>
      who.post(`${path}/groups`, { assetIds: [...new Set([ownAsset, tomsAsset, photo])], cover: photo }),
  ],
  ['take a group of another apart', ADMINS, (who, { path, group }) => who.delete(`${path}/groups/${group}`)],
  ...bulkRows('post', 'own posts', WRITERS, ({ ownPost }) => ownPost),
  ...bulkRows('post', 'posts of another', ADMINS, ({ tomsPost }) => tomsPost),
  [
    'link own posts in bulk',
    WRITERS,
    (who, { collection, unattachedPost }) =>
      who.put('/api/post/bulk.collections.add', { ids: [unattachedPost], collectionIds: [collection] }),
  ],
  [
    'link posts of another in bulk',
    NOBODY,
    (who, { collection, tomsPost }) => who.put('/api/post/bulk.collections.add', { ids: [tomsPost], collectionIds: [collection] }),
  ],
  ...bulkRows('asset', 'own assets', WRITERS, ({ ownAsset }) => ownAsset),
  ...bulkRows('asset', 'assets of another', ADMINS, ({ tomsAsset }) => tomsAsset),
  [
    'link own assets in bulk',
    WRITERS,
    (who, { collection, unattachedAsset }) =>
      who.put('/api/asset/bulk.collections.add', { ids: [unattachedAsset], collectionIds: [collection] }),
  ],
  [
    'link assets of another in bulk',
    NOBODY,
    (who, { collection, tomsAsset }) => who.put('/api/asset/bulk.collections.add', { ids: [tomsAsset], collectionIds: [collection] }),
  ],

  ...answerRows(
    'post',
    ({ tomsPost }) => tomsPost,
    ({ ownPost }) => ownPost,
  ),
  ...answerRows(
    'asset',
    ({ tomsAsset }) => tomsAsset,
    ({ ownAsset }) => ownAsset,
  ),
  ['change an own comment', ALL, (who, { ownComment }) => who.patch(`/api/comments/${ownComment}`, { text: 'Other words' }), NOT_THEIRS],
  ['change a comment of another', NOBODY, (who, { tomsComment }) => who.patch(`/api/comments/${tomsComment}`, { text: 'Other words' })],
  ['hide a comment of another', ADMINS, (who, { tomsComment }) => who.patch(`/api/comments/${tomsComment}`, { hidden: true })],
  ['hide an own comment', ADMINS, (who, { ownComment }) => who.patch(`/api/comments/${ownComment}`, { hidden: true })],
  ['delete an own comment', ALL, (who, { ownComment }) => who.delete(`/api/comments/${ownComment}`), NOT_THEIRS],
  ['delete a comment of another', NOBODY, (who, { tomsComment }) => who.delete(`/api/comments/${tomsComment}`)],
  [
    'undo the deletion of an own comment',
    ALL,
    async (who, { ownComment }) => {
      const { body } = await who.delete(`/api/comments/${ownComment}`)
      return who.post(`/api/undo/${body.changeId ?? newId()}`)
    },
    // Guests undo what they have deleted themselves (tests/api/guest-answers.test.ts).
    { guest: 404 },
  ],
  ['react to a comment', ALL, (who, { tomsComment }) => who.put(`/api/comments/${tomsComment}/reactions/${HEART}`)],
  ['take a reaction to a comment back', ALL, (who, { tomsComment }) => who.delete(`/api/comments/${tomsComment}/reactions/${HEART}`)],
  ['say who may answer', ADMINS, (who, { path }) => who.put(path, { answers: 'write' })],

  ['restore an own post', WRITERS, (who, { trashedPost }) => who.post('/api/trash/restore', { postIds: [trashedPost] })],
  ['restore an own asset', WRITERS, (who, { trashedAsset }) => who.post('/api/trash/restore', { assetIds: [trashedAsset] })],
  ['restore a post of another', ADMINS, (who, { tomsTrashedPost }) => who.post('/api/trash/restore', { postIds: [tomsTrashedPost] })],
  ['permanently delete an own post', WRITERS, (who, { trashedPost }) => who.delete('/api/trash', { postIds: [trashedPost] })],
  ['permanently delete a post of another', NOBODY, (who, { tomsTrashedPost }) => who.delete('/api/trash', { postIds: [tomsTrashedPost] })],
  ['undo an edit of an own post', WRITERS, (who, { ownEdit }) => who.post(`/api/undo/${ownEdit}`), { guest: 404 }],
  ['undo an own edit of a post of another', ADMINS, (who, { tomsEdit }) => who.post(`/api/undo/${tomsEdit}`), { guest: 404 }],

  ['add a person', MAKERS, (who, { path }) => who.post(`${path}/people`, { name: 'Grandma' })],
  ['rename a person', WRITERS, (who, { path, person }) => who.put(`${path}/people/${person}`, { name: 'Granny' })],
  ['link a person', WRITERS, (who, { path, person, reader }) => who.put(`${path}/people/${person}`, { userId: reader })],
  [
    'merge two people',
    WRITERS,
    (who, { path, person, otherPerson }) => who.post(`${path}/people/${person}/merge`, { intoId: otherPerson }),
  ],
  ['remove a person', WRITERS, (who, { path, person }) => who.delete(`${path}/people/${person}`)],

  ['see invitations', ADMINS, (who, { path }) => who.get(`${path}/invites`)],
  ['invite to read', ADMINS, (who, { path }) => who.post(`${path}/invites/invite`, { email: 'new@example.org', role: 'read' })],
  ['invite to write', ADMINS, (who, { path }) => who.post(`${path}/invites/invite`, { email: 'new@example.org', role: 'write' })],
  ['invite an admin', OWNER, (who, { path }) => who.post(`${path}/invites/invite`, { email: 'new@example.org', role: 'admin' })],
  [
    'invite a person',
    ADMINS,
    (who, { path, person }) => who.post(`${path}/invites/invite`, { email: 'new@example.org', role: 'read', personId: person }),
  ],
  [
    'invite a list of people',
    ADMINS,
    (who, { path, person }) => who.post(`${path}/invites/people`, { invites: [{ personId: person, email: 'new@example.org' }] }),
  ],
  ['cancel an invitation', ADMINS, (who, { path, invite }) => who.delete(`${path}/invites/${invite}`)],

  ['see links', WRITERS, (who, { path }) => who.get(`${path}/links`)],
  ['make a link to the collection', [403, 403, 201, 201], (who, { path }) => who.post(`${path}/links`, { kind: 'collection' })],
  [
    'make a link to a filter',
    [403, 403, 201, 201],
    (who, { path }) => who.post(`${path}/links`, { kind: 'filter', filters: { contentTypes: ['photo'] } }),
  ],
  ['make a link to an own post', MAKERS, (who, { path, ownPost }) => who.post(`${path}/links`, { kind: 'items', itemIds: [ownPost] })],
  [
    'make a link to a post of another',
    [403, 403, 201, 201],
    (who, { path, tomsPost }) => who.post(`${path}/links`, { kind: 'items', itemIds: [tomsPost] }),
  ],
  ['change an own link', WRITERS, (who, { path, ownLink }) => who.patch(`${path}/links/${ownLink}`, { name: 'New' })],
  [
    'change a link of another',
    [403, 404, 200, 200],
    (who, { path, tomsLink }) => who.patch(`${path}/links/${tomsLink}`, { location: 'exact' }),
  ],
  ['end an own link', WRITERS, (who, { path, ownLink }) => who.delete(`${path}/links/${ownLink}`)],
  ['end a link of another', [403, 404, 200, 200], (who, { path, tomsLink }) => who.delete(`${path}/links/${tomsLink}`)],

  ['see who one is as a guest', MISSING, (who) => who.get('/api/guest'), { guest: 200 }],
  ['give a name as a guest', MISSING, (who) => who.put('/api/guest', { name: 'Oma' }), { guest: 200 }],
  ['claim what one wrote as a guest', ALL, (who) => who.post('/api/links/claim'), ANYBODY],
  ['see requests to join', ADMINS, (who, { path }) => who.get(`${path}/join-requests`)],
  [
    'ask to join without having opened a link',
    NOBODY,
    (who, { path, adasLink }) => who.post(`${path}/join-requests`, { link: adasLink }),
    { stranger: 403, invited: 403 },
  ],
  ['take back a request to join, which nobody here has made', ALL, (who, { path }) => who.delete(`${path}/join-requests`), ANYBODY],
  ['let somebody in', ADMINS, (who, { path, joinRequest }) => who.post(`${path}/join-requests/${joinRequest}/accept`, {})],
  ['see what guests have sent', ADMINS, (who, { path }) => who.get(`${path}/contributions`)],
  [
    'accept what a guest has sent',
    ADMINS,
    (who, { path, contribution }) => who.post(`${path}/contributions/accept`, { ids: [contribution] }),
  ],
  [
    'decline what a guest has sent',
    ADMINS,
    (who, { path, contribution }) => who.post(`${path}/contributions/decline`, { ids: [contribution] }),
  ],
  ['decline a request to join', ADMINS, (who, { path, joinRequest }) => who.post(`${path}/join-requests/${joinRequest}/decline`)],

  ['raise the role of a reader', ADMINS, (who, { path, reader }) => who.put(`${path}/members/${reader}`, { role: 'write' })],
  ['remove a reader', ADMINS, (who, { path, reader }) => who.delete(`${path}/members/${reader}`)],
  ['make a member an admin', OWNER, (who, { path, reader }) => who.put(`${path}/members/${reader}`, { role: 'admin' })],
  ['lower the role of an admin', OWNER, (who, { path, admin }) => who.put(`${path}/members/${admin}`, { role: 'read' })],
  ['remove an admin', OWNER, (who, { path, admin }) => who.delete(`${path}/members/${admin}`)],

  ['rename the collection', ADMINS, (who, { path }) => who.put(path, { name: 'Nara' })],
  ['change the icon of the collection', ADMINS, (who, { path }) => who.put(path, { icon: 'train' })],
  ['change what members see of places', ADMINS, (who, { path }) => who.put(path, { places: 'town' })],
  ['change the theme of the collection', ADMINS, (who, { path }) => who.put(`${path}/theme`, THEME)],
  ['transfer the collection', OWNER, (who, { path, reader }) => who.post(`${path}/transfer`, { userId: reader })],
  ['delete the collection', OWNER, (who, { path }) => who.delete(path)],
  ['leave the collection', [200, 200, 200, 403], (who, { path }) => who.delete(`${path}/invites/leave`)],
  // Only invited users have an invitation to answer.
  ['accept an invitation', MISSING, (who, { path }) => who.post(`${path}/invites/accept`), { invited: 200 }],
  ['decline an invitation', MISSING, (who, { path }) => who.delete(`${path}/invites/decline`), { invited: 200 }],

  ['see own collections', ALL, (who) => who.get('/api/collections'), ANYBODY],
  ['see own invitations', ALL, (who) => who.get('/api/collections/invited'), ANYBODY],
  ['make a collection', ALL_MAKE, (who) => who.post('/api/collections', { name: 'New' }), { stranger: 201, invited: 201 }],
  ['see how to subscribe to notifications', ALL, (who) => who.get('/api/push'), ANYBODY],
  ['subscribe to notifications', ALL, (who) => who.post('/api/push/subscriptions', SUBSCRIPTION), ANYBODY],
  ['unsubscribe from notifications', ALL, (who) => who.delete('/api/push/subscriptions', { endpoint: SUBSCRIPTION.endpoint }), ANYBODY],
  ['see the feed', ALL, (who) => who.get('/api/feed'), ANYBODY],
  ['record a visit of the feed', ALL, (who) => who.put('/api/feed/visit', { seenAt: '2026-05-01T08:00:00Z' }), ANYBODY],
  ['see the own usage', ALL, (who) => who.get('/api/usage'), ANYBODY],
  ['see own items in no collection', ALL, (who) => who.get('/api/usage/unattached'), ANYBODY],
  ['see the trash', ALL, (who) => who.get('/api/trash'), ANYBODY],
  ['see the own profile', ALL, (who) => who.get('/api/users/profile'), ANYBODY],
  ['change the own profile', ALL, (who) => who.put('/api/users/profile', { lastName: 'Test' }), ANYBODY],
  ['set the own picture', ALL, (who) => who.put('/api/users/avatar', PIXEL, { type: 'image/webp' }), ANYBODY],
  ['remove the own picture', ALL, (who) => who.delete('/api/users/avatar'), ANYBODY],
  // The cast has no pictures; tests/api/avatars.test.ts says who sees one.
  ['see the picture of a member', MISSING, (who, { reader }) => who.get(`/api/users/${reader}/avatar`)],
  ['see the own home zones', ALL, (who) => who.get('/api/users/zones'), ANYBODY],
  ['set the own home zones', ALL, (who) => who.put('/api/users/zones', { zones: [] }), ANYBODY],
  ['see the own theme', ALL, (who) => who.get('/api/users/theme'), ANYBODY],
  ['change the own theme', ALL, (who) => who.put('/api/users/theme', THEME), ANYBODY],
  ['request another confirmation mail', ALL, (who) => who.post('/api/auth/send-verification'), ANYBODY],
  ['re-authenticate', ALL, (who) => who.post('/api/auth/confirm', { password: PASSWORD }), ANYBODY],
  // The right one would revoke what the other rows need.
  [
    'change the password with a wrong one',
    [400, 400, 400, 400],
    (who) => who.post('/api/auth/change-password', { currentPassword: `not ${PASSWORD}`, newPassword: PASSWORD }),
    { stranger: 400, invited: 400 },
  ],
  ['change the address', ALL, (who) => who.post('/api/auth/change-email', { email: `${newId()}@example.org` }), ANYBODY],
  ['see what opens own collections', ALL, (who) => who.get('/api/access'), ANYBODY],
  ['sign out an unknown device', MISSING, (who) => who.delete(`/api/access/session/${newId()}`)],
  [
    'delete the account without its address',
    [400, 400, 400, 400],
    (who) => who.delete('/api/users/profile', { email: 'x@example.org', items: 'leave', deleteCollections: [] }),
    { stranger: 400, invited: 400 },
  ],
  ['see the sources of the map', ALL, (who) => who.get('/api/map/config'), ANYBODY],
  // The stack has no tiles.
  ['fetch tiles of the map', MISSING, (who) => who.get('/api/map/tiles')],
  ['see own access tokens', ALL, (who) => who.get('/api/users/tokens'), ANYBODY],
  [
    'make and revoke an access token',
    ALL,
    async (who) => {
      const { body } = await who.post('/api/users/tokens', { name: 'T', scope: 'read' })
      return who.delete(`/api/users/tokens/${body.token?.id}`)
    },
    ANYBODY,
  ],
  // The last row: it ends the tokens that others need.
  [
    'sign out everywhere',
    ALL,
    async (who) => {
      const answer = await who.delete('/api/access')
      if (answer.status === 200) await who.post('/api/auth/sign-in', { email: (who as Actor).email, password: PASSWORD })
      return answer
    },
    ANYBODY,
  ],
]

/** Records calls without sending them. */
class Recorder extends Client {
  readonly calls: { method: string; path: string }[] = []

  override async call(method: string, path: string): Promise<Answer> {
    this.calls.push({ method, path: path.split('?')[0] ?? '' })
    return { status: 0, body: {}, headers: new Headers(), bytes: new Uint8Array() }
  }
}

/** The endpoints that a row calls. */
export async function endpointsOf(call: Row[2]) {
  const recorder = new Recorder('http://nowhere.invalid')
  await call(recorder, new Proxy({}, { get: (_, name) => (name === 'path' ? '/api/collections/ID' : 'ID') }) as Scene)
  return recorder.calls.map(({ method, path }) => endpointOf(method, path))
}

const PATTERNS = ENDPOINTS.map((endpoint) => ({
  endpoint,
  path: new RegExp(`^${endpoint.path.replaceAll('.', '\\.').replace(/\{\w+\}/g, '[^/]+')}$`),
}))

/** The endpoint of a path; a literal one takes precedence over one with a parameter. */
export function endpointOf(method: string, path: string) {
  const found = PATTERNS.filter((pattern) => pattern.endpoint.method === method && pattern.path.test(path)).map(({ endpoint }) => endpoint)
  const [endpoint] = found.toSorted((a, b) => a.path.split('{').length - b.path.split('{').length)
  if (!endpoint) throw new Error(`${method} ${path} is no call of the contract`)
  return endpoint
}
