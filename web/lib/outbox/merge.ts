import type { Asset, AssetEdit } from '../../../contract/assets.ts'
import { seesExactly } from '../../../contract/places.ts'
import type { Post, PostEdit } from '../../../contract/posts.ts'
import { isPost } from '../content/is-post.ts'
import type { EditAction } from './types.ts'

/** Links are operations of their own. */
type Fields = Omit<PostEdit, 'collectionIds'> & AssetEdit
export type Field = keyof Fields

/** A row in the fields of an edit. Without its place if that is not seen exactly, so that no edit writes what is shown instead. */
export function fieldsOf(row: Post | Asset): Fields {
  const shared = {
    date: row.date,
    datePrecision: row.date_precision,
    ...(seesExactly(row) && { dateZone: row.date_zone, location: row.location, placeHidden: row.place?.hidden ?? false }),
    peopleIds: row.people,
  }
  if (!isPost(row)) return { ...shared, name: row.name, alt: row.alt }
  const { type, kind, title, body, ends_at, assets } = row
  return { ...shared, type, kind, title, body, endsAt: ends_at, existingAssetIds: assets.map(({ id }) => id) }
}

export function pick(fields: Fields, names: readonly Field[]): Fields {
  return Object.fromEntries(names.flatMap((name) => (fields[name] === undefined ? [] : [[name, fields[name]]])))
}

export function namesOf(patch: Fields): Field[] {
  // The keys of a parsed edit are its fields.
  return (Object.keys(patch) as Field[]).filter((name) => patch[name] !== undefined)
}

/** Whether two values of a field are equivalent, even if they are written differently. */
export function same(name: Field, a: unknown, b: unknown): boolean {
  if (a === b || (empty(a) && empty(b))) return true
  if (name === 'date' || name === 'endsAt') return Date.parse(String(a)) === Date.parse(String(b))
  if (name === 'body') return plainHtml(String(a)) === plainHtml(String(b))
  if (name === 'peopleIds') return JSON.stringify(sorted(a)) === JSON.stringify(sorted(b))
  if (name === 'location') return locationKey(a) === locationKey(b)
  return JSON.stringify(a) === JSON.stringify(b)
}

export type MergeOutcome = 'done' | 'clean' | 'conflict'

/**
 * Outcome of an edit that meets another version of the row: `done` if the row already has the edit's values, `clean` if the same fields
 * are unchanged, otherwise `conflict`, which the user has to resolve.
 */
export function mergeOutcome({ patch, before }: Pick<EditAction, 'patch' | 'before'>, row: Post | Asset): MergeOutcome {
  const [mine, was, now]: Fields[] = [patch, before, fieldsOf(row)]
  const open = namesOf(patch).filter((name) => !same(name, mine?.[name], now?.[name]))
  if (open.length === 0) return 'done'
  return open.every((name) => same(name, was?.[name], now?.[name])) ? 'clean' : 'conflict'
}

/** Fields of an edit whose values differ from the row. */
export function differing({ patch }: Pick<EditAction, 'patch'>, row: Post | Asset): Field[] {
  const [mine, theirs]: Fields[] = [patch, fieldsOf(row)]
  return namesOf(patch).filter((name) => !same(name, mine?.[name], theirs?.[name]))
}

/**
 * Rebases an edit that waited behind another one by the same user, which wrote the fields `said`. Where the edit began with those values,
 * it now begins with the server's form of them; fields that it leaves are as they are there. An edit that began with other values is left
 * for `mergeOutcome`.
 */
export function rebased<E extends EditAction>(edit: E, said: Fields, row: Post | Asset): E {
  const now = fieldsOf(row)
  const before: Fields = { ...pick(now, namesOf(edit.before)), ...pick(edit.before, namesOf(edit.patch)) }
  for (const name of namesOf(said)) {
    if (name in before && same(name, said[name], before[name])) Object.assign(before, { [name]: now[name] })
  }
  const next = { ...edit, before }
  return mergeOutcome(next, row) === 'conflict' ? edit : { ...next, version: row.version }
}

/** The same edit based on a newer row, whose other fields stay as they are there. */
export function rebasedOn<E extends EditAction>(edit: E, row: Post | Asset): E {
  return { ...edit, version: row.version, before: pick(fieldsOf(row), namesOf(edit.before)) }
}

function empty(value: unknown): boolean {
  return value === null || value === undefined || value === '' || (Array.isArray(value) && value.length === 0)
}

function sorted(value: unknown): unknown {
  return Array.isArray(value) ? value.toSorted() : value
}

function locationKey(value: unknown): string {
  if (typeof value !== 'object' || value === null || !('lat' in value) || !('lon' in value)) return ''
  return JSON.stringify([value.lat, value.lon, 'name' in value ? value.name || '' : ''])
}

const ENTITIES: Record<string, string> = { '&quot;': '"', '&#39;': "'", '&apos;': "'", '&nbsp;': ' ', '\u00a0': ' ' }

/** HTML without the differences that the server's sanitiser introduces: quotes, line breaks, attributes of links. */
function plainHtml(html: string): string {
  return html
    .replace(/&quot;|&#39;|&apos;|&nbsp;|\u00a0/g, (entity) => ENTITIES[entity] ?? entity)
    .replace(/\s(?:rel|target)="[^"]*"/g, '')
    .replace(/<br\s*\/>/g, '<br>')
    .replace(/\s+/g, ' ')
    .trim()
}
