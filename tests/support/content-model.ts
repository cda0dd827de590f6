import { z } from '../../contract/zod.ts'
import { ApiError } from '../../web/lib/api.ts'
import { newestFirst } from '../../web/lib/content/order.ts'
import type { Page, PageQuery } from '../../web/lib/content/source.ts'
import { rechunk } from '../../web/lib/device/chunks.ts'
import { packRows, unpackRows } from '../../web/lib/device/rows.ts'
import type { Stored, StoredContent, WholeContent } from '../../web/lib/device/types.ts'

/** The fields of a row that lists read. */
const Row = z.object({
  id: z.string(),
  date: z.string().nullable(),
  date_zone: z.string().nullable(),
  version: z.number(),
  text: z.string(),
})
export type Row = z.infer<typeof Row>

const rank = (row: Row, id: string, date: string | null) => newestFirst(row, { ...row, id, date })

/** One list of a collection as the API keeps it: rows, a revision that grows with every change, and a log that may be truncated. */
export function listModel(pageSize: number) {
  const rows = new Map<string, Row>()
  /** An item that returns to the collection is the same row: its version never goes back. */
  const versions = new Map<string, number>()
  let log: { revision: number; id: string }[] = []
  let revision = 1
  let reaches = 0
  const change = (id: string) => log.push({ revision: ++revision, id })
  return {
    put(id: string, { date, text }: { date: string | null; text: string }) {
      const version = (versions.get(id) ?? 0) + 1
      versions.set(id, version)
      rows.set(id, { id, date, date_zone: 'UTC', text, version })
      change(id)
    },
    /** Changes what a row shows without changing the row, such as its links: the version stays. */
    touch(id: string, text: string) {
      const row = rows.get(id)
      if (!row) return
      rows.set(id, { ...row, text })
      change(id)
    },
    remove(id: string) {
      if (rows.delete(id)) change(id)
    },
    forgetLog() {
      log = []
      reaches = revision
    },
    ids: () => [...rows.keys()],
    all: () => [...rows.values()].sort(newestFirst).map((row) => ({ ...row })),
    revision: () => revision,
    page({ since, cursor }: PageQuery): Page<Row> {
      if (since !== undefined && since < reaches) throw new ApiError('gone', 'The log does not reach back')
      const changed = new Set(log.filter((entry) => since === undefined || entry.revision > since).map(({ id }) => id))
      const after = cursor === undefined ? null : (JSON.parse(cursor) as { id: string; date: string | null })
      const left = [...rows.values()]
        .filter((row) => (since === undefined || changed.has(row.id)) && (!after || rank(row, after.id, after.date) > 0))
        .sort(newestFirst)
      const page = left.slice(0, pageSize)
      const last = page.at(-1)
      return {
        rows: page.map((row) => ({ ...row })),
        deleted: since === undefined ? [] : [...changed].filter((id) => !rows.has(id)),
        nextCursor: left.length > page.length && last ? JSON.stringify({ id: last.id, date: last.date }) : null,
        revision,
      }
    },
  }
}

/** The device's copy, with the same chunks and columns, without a database. */
export function deviceModel(chunk: number) {
  let head: Omit<Stored, 'posts' | 'assets'> | null = null
  let known: Stored | null = null
  const records = new Map<string, ReturnType<typeof packRows>>()
  const keys: Record<'posts' | 'assets', number[]> = { posts: [], assets: [] }
  const read = (key: string) => {
    const rows = unpackRows(structuredClone(records.get(key)), Row)
    if (!rows) throw new Error('The device cannot read what it wrote')
    return rows
  }
  return {
    save(content: WholeContent) {
      const posts = rechunk(known?.posts ?? [], content.posts, chunk)
      const assets = rechunk(known?.assets ?? [], content.assets, chunk)
      for (const [kind, { put, gone, chunks }] of Object.entries({ posts, assets })) {
        for (const key of gone) records.delete(`${kind} ${key}`)
        for (const { key, rows } of put) records.set(`${kind} ${key}`, structuredClone(packRows(rows)))
        keys[kind as 'posts' | 'assets'] = chunks.map(({ key }) => key)
      }
      const { collectionId, postsRevision, assetsRevision, memberships } = content
      head = { collectionId, stamp: '', postsRevision, assetsRevision, memberships }
      known = { ...head, posts: posts.chunks, assets: assets.chunks }
    },
    read(): StoredContent | null {
      if (!head) return null
      const chunks = (kind: 'posts' | 'assets') => keys[kind].map((key) => ({ key, rows: read(`${kind} ${key}`) as never[] }))
      const [posts, assets] = [chunks('posts'), chunks('assets')]
      known = { ...head, posts, assets }
      const rows = (from: number, to?: number) => ({
        posts: posts.slice(from, to).flatMap((chunk) => chunk.rows),
        assets: assets.slice(from, to).flatMap((chunk) => chunk.rows),
      })
      const { postsRevision, assetsRevision, memberships } = head
      return { postsRevision, assetsRevision, memberships, first: rows(0, 1), rest: () => Promise.resolve(rows(1)) }
    },
  }
}
