import { randomBytes } from 'node:crypto'
import sharp from 'sharp'
import { newId } from '../../contract/ids.ts'
import { FILM, sendFilm, sha256, upload, video } from './files.ts'
import { type World, world } from './world.ts'

/** A collection of ada with all roles, and the items that calls refer to. */
export interface Scene {
  /** Path of the collection. */
  path: string
  collection: string
  /** The actor's own post and asset in the collection; tom's if the actor is not a member. */
  ownPost: string
  ownAsset: string
  /** The actor's own post and asset that are in no collection. */
  unattachedPost: string
  unattachedAsset: string
  /** Those of tom, a writer, who added them. */
  tomsPost: string
  tomsAsset: string
  /** Own items, and one of tom, that are in the trash. */
  trashedPost: string
  trashedAsset: string
  tomsTrashedPost: string
  /** Edits by the actor to their own post and to tom's; tom's own edits if the actor is not a member. */
  ownEdit: string
  tomsEdit: string
  /** The actor's unfinished upload of one byte into the collection; tom's if the actor is not a member. */
  ownUpload: string
  /** The actor's own video in the collection, with an unfinished playable film; tom's if the actor is not a member. */
  ownVideo: string
  /** Shared by all scenes: tom's, with bytes in storage and a thumb. */
  photo: string
  /** The same with a playable film. */
  film: string
  /** Of tom's asset and the photo. */
  group: string
  /** The actor's own comment on tom's post, tom's if the actor is not a member; and tom's. */
  ownComment: string
  tomsComment: string
  person: string
  /** Another person of the collection. */
  otherPerson: string
  invite: string
  /** Of ivy, who asks to become a writer. */
  joinRequest: string
  /** Waits for an admin. */
  contribution: string
  /** A link of the actor to their own post, and one of tom to his; tom's if the actor is not a member. */
  ownLink: string
  tomsLink: string
  /** A link of ada to the whole collection. */
  adasLink: string
  /** A member who reads, and one who is an admin. */
  reader: string
  admin: string
}

/** The users of all scenes: ivy is invited to each, eve to none. */
export interface Cast {
  w: World
  photo: string
  film: string
}

export async function gather(): Promise<Cast> {
  const w = await world({ rita: null, wes: null, amy: null, tom: null, tia: null, rob: null, eve: null, ivy: null })
  const noise = { type: 'gaussian' as const, mean: 128, sigma: 30 }
  const image = await sharp({ create: { width: 64, height: 48, channels: 3, background: '#888', noise } })
    .jpeg()
    .toBuffer()
  const { id } = await upload(w.as('tom'), new Uint8Array(image))
  const { status } = await w.as('tom').put(`/api/asset/${id}/renditions/thumb`, PIXEL, { type: 'image/webp' })
  if (status !== 200) throw new Error(`The thumb was refused: ${status}`)
  // No renditions are made of it meanwhile, which would change every scene.
  await w.sql`delete from missing_renditions where asset_id = ${id}`
  const film = await upload(w.as('tom'), video(), { name: 'a.mov', type: 'video/mp4' })
  await sendFilm(w.as('tom'), film.id)
  return { w, photo: id, film: film.id }
}

/** A WebP of one pixel. */
export const PIXEL = new Uint8Array(Buffer.from('UklGRiIAAABXRUJQVlA4IBYAAAAwAQCdASoBAAEADsD+JaQAA3AAAAAA', 'base64'))
const BYTE = new Uint8Array([0x41])
/** The part that completes the unfinished upload. */
export const ONE_BYTE = { bytes: BYTE, checksum: sha256(BYTE) }
/** A file that is not stored yet. */
export const file = () => ({ name: 'a.jpg', type: 'image/jpeg', size: 1, checksum: randomBytes(32).toString('hex') })

let scenes = 0
/** Written straight into the database: hundreds of scenes would take too long through the API. */
export async function stage({ w, photo, film }: Cast, actor: string): Promise<Scene> {
  // So many rows come so fast that Postgres would plan with statistics of nearly empty tables.
  if (scenes++ % 200 === 199) await w.sql`analyze`
  const id = (name: string) => w.as(name).id
  const inside = actor !== 'eve' && actor !== 'ivy'
  const [collection, tomsPost, tomsAsset] = [newId(), newId(), newId()]
  const tomsComment = newId()
  const scene: Scene = {
    path: `/api/collections/${collection}`,
    collection,
    ownPost: inside ? newId() : tomsPost,
    ownAsset: inside ? newId() : tomsAsset,
    unattachedPost: newId(),
    unattachedAsset: newId(),
    tomsPost,
    tomsAsset,
    trashedPost: newId(),
    trashedAsset: newId(),
    tomsTrashedPost: newId(),
    ownEdit: newId(),
    tomsEdit: newId(),
    ownUpload: newId(),
    ownVideo: newId(),
    photo,
    film,
    group: newId(),
    ownComment: inside ? newId() : tomsComment,
    tomsComment,
    person: newId(),
    otherPerson: newId(),
    joinRequest: newId(),
    contribution: newId(),
    invite: newId(),
    ownLink: newId(),
    tomsLink: newId(),
    adasLink: newId(),
    reader: id('rob'),
    admin: id('tia'),
  }
  const {
    ownPost,
    ownAsset,
    unattachedPost,
    unattachedAsset,
    trashedPost,
    trashedAsset,
    tomsTrashedPost,
    ownEdit,
    tomsEdit,
    ownUpload,
    ownVideo,
    group,
    ownComment,
    person,
    otherPerson,
    invite,
    joinRequest,
    contribution,
  } = scene
  const roles = { ada: 'owner', rita: 'read', rob: 'read', wes: 'write', tom: 'write', amy: 'admin', tia: 'admin' }
  // One statement for all of a kind, so that the triggers run once.
  const posts = (authors: [post: string, user: string][]) =>
    w.sql.query("insert into posts (id, user_id, type, title) select *, 'note', 'T' from unnest($1::uuid[], $2::text[])", [
      authors.map(([post]) => post),
      authors.map(([, user]) => id(user)),
    ])
  const assets = (authors: [asset: string, user: string][], { status, type, size }: { status: string; type: string; size: number }) =>
    w.sql.query(
      `insert into assets (id, user_id, checksum, status, name, type, size)
        select *, $4, 'a', $5, $6::bigint from unnest($1::uuid[], $2::text[], $3::text[])`,
      [
        authors.map(([asset]) => asset),
        authors.map(([, user]) => id(user)),
        authors.map(() => (status === 'ready' ? file().checksum : ONE_BYTE.checksum)),
        status,
        type,
        size,
      ],
    )
  const put = (kind: 'post' | 'asset', links: [item: string, user: string][]) =>
    w.sql.query(`insert into ${kind}_collections (collection_id, ${kind}_id, user_id) select $1, * from unnest($2::uuid[], $3::text[])`, [
      collection,
      links.map(([item]) => item),
      links.map(([, user]) => id(user)),
    ])
  const author = inside ? actor : 'tom'
  if (!inside) scene.ownLink = scene.tomsLink
  const link = (link: string, user: string, post: string) => [
    w.sql`insert into links (id, collection_id, user_id, kind, hash) values (${link}, ${collection}, ${id(user)}, 'items', ${link})`,
    w.sql`insert into link_items (link_id, post_id, chosen) values (${link}, ${post}, true)`,
  ]
  const own = (item: string): [string, string][] => (inside ? [[item, actor]] : [])
  const edit = (edit: string, post: string) => {
    const state = (title: string) => JSON.stringify({ posts: { [post]: { title } }, assets: {}, post_links: {}, asset_links: {} })
    return w.sql`insert into edits (id, user_id, action, scope, before, after)
      values (${edit}, ${id(author)}, 'edit', ${JSON.stringify({ posts: [post] })}, ${state('Before')}, ${state('T')})`
  }
  await w.sql.transaction([
    w.sql`insert into collections (id, name, user_id) values (${collection}, 'Scene', ${id('ada')})`,
    w.sql`insert into members (collection_id, user_id, role)
      select ${collection}, * from unnest(${Object.keys(roles).map(id)}::text[], ${Object.values(roles)}::text[])`,
    posts([[tomsPost, 'tom'], [unattachedPost, actor], ...own(ownPost), [trashedPost, author], [tomsTrashedPost, 'tom']]),
    assets([[tomsAsset, 'tom'], [unattachedAsset, actor], [contribution, 'tom'], ...own(ownAsset), [trashedAsset, author]], {
      status: 'ready',
      type: 'image/jpeg',
      size: 1,
    }),
    assets([[ownVideo, author]], { status: 'ready', type: 'video/mp4', size: 1000 }),
    assets([[ownUpload, author]], { status: 'uploading', type: 'text/plain', size: 1 }),
    w.sql`insert into uploads (asset_id, part_size, parts) values (${ownUpload}, 8388608, 1)`,
    w.sql`insert into films (id, asset_id, user_id, ready, type, size, checksum, part_size, parts)
      values (${newId()}, ${ownVideo}, ${id(author)}, false, 'video/mp4', ${FILM.bytes.length}, ${FILM.checksum}, 8388608, 1),
        (${newId()}, ${tomsAsset}, ${id('tom')}, true, 'video/mp4', 1, ${FILM.checksum}, 8388608, 1)`,
    put('post', [[tomsPost, 'tom'], [trashedPost, author], [tomsTrashedPost, 'tom'], ...own(ownPost)]),
    put('asset', [[tomsAsset, 'tom'], [trashedAsset, author], [ownUpload, author], [ownVideo, author], ...own(ownAsset)]),
    w.sql`update posts set deleted_at = now() where id in (${trashedPost}, ${tomsTrashedPost})`,
    w.sql`update assets set deleted_at = now() where id = ${trashedAsset}`,
    edit(ownEdit, ownPost),
    edit(tomsEdit, tomsPost),
    w.sql`insert into people (id, collection_id, name) values (${person}, ${collection}, 'P'), (${otherPerson}, ${collection}, 'Q')`,
    w.sql`insert into invites (id, collection_id, email, user_id, role, invited_by, expires_at)
      values (${invite}, ${collection}, 'x@example.org', null, 'read', ${id('ada')}, now() + interval '1 day'),
        (${newId()}, ${collection}, ${w.as('ivy').email}, ${id('ivy')}, 'admin', ${id('ada')}, now() + interval '1 day')`,
    w.sql`insert into contributions (asset_id, collection_id, state) values (${contribution}, ${collection}, 'waiting')`,
    w.sql`insert into join_requests (id, collection_id, user_id, role) values (${joinRequest}, ${collection}, ${id('ivy')}, 'write')`,
    ...link(scene.tomsLink, 'tom', tomsPost),
    ...(inside ? link(scene.ownLink, actor, ownPost) : []),
    w.sql`insert into links (id, collection_id, user_id, kind, hash, allows, location, download)
      values (${scene.adasLink}, ${collection}, ${id('ada')}, 'collection', ${scene.adasLink}, 'answer', 'exact', true)`,
    // Skips the triggers: they would notify the collections of all scenes so far each time.
    w.sql`set local session_replication_role = replica`,
    w.sql`insert into asset_collections (collection_id, asset_id, user_id)
      select ${collection}, unnest(array[${photo}, ${film}]::uuid[]), ${id('tom')}`,
    w.sql`insert into groups (id, collection_id, kind, cover) values (${group}, ${collection}, 'stack', ${photo})`,
    ...[...new Set([ownComment, tomsComment])].map(
      (comment) => w.sql`insert into comments (id, collection_id, post_id, user_id, text)
        values (${comment}, ${collection}, ${tomsPost}, ${id(comment === tomsComment ? 'tom' : actor)}, 'T')`,
    ),
    w.sql`update asset_collections set group_id = ${group} where collection_id = ${collection} and asset_id in (${tomsAsset}, ${photo})`,
  ])
  return scene
}
