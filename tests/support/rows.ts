import { newId } from '../../contract/ids.ts'
import type { World } from './world.ts'

/** A ready asset without bytes, for tests that only need the row. */
export async function assetRow(w: World, owner: string, collectionIds: string[] = []): Promise<string> {
  const id = newId()
  const checksum = (id + newId()).replaceAll('-', '')
  await w.sql`insert into assets (id, user_id, status, name, type, size, checksum)
    values (${id}, ${w.as(owner).id}, 'ready', 'a.jpg', 'image/jpeg', 1, ${checksum})`
  for (const collectionId of collectionIds) {
    await w.sql`insert into asset_collections (collection_id, asset_id, user_id) values (${collectionId}, ${id}, ${w.as(owner).id})`
  }
  return id
}

/** Another collection, owned by the first name; the others get their roles. */
export async function collectionOf(w: World, owner: string, cast: Record<string, 'read' | 'write' | 'admin'> = {}): Promise<string> {
  const { body } = await w.as(owner).post('/api/collections', { name: 'Another' })
  const { id } = body.collection
  for (const [name, role] of Object.entries(cast)) {
    await w.sql`insert into members (collection_id, user_id, role) values (${id}, ${w.as(name).id}, ${role})`
  }
  return id
}
