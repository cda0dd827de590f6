import { readdirSync, readFileSync, statSync } from 'node:fs'
import ExifReader from 'exifreader'
import { parseFragment } from 'parse5'
import { describe, expect, test } from 'vitest'
import { LIMITS } from '../../contract/limits.ts'
import { NewPost } from '../../contract/posts.ts'
import { type DemoPicture, demo } from './demo.ts'

const folder = new URL('./pictures/', import.meta.url)
const read = (name: string) => readFileSync(new URL(name, import.meta.url), 'utf8')
const main = demo.collections.find((c) => c.key === 'seasons')
const inMain = <T extends { collections: string[] }>(items: T[]) => items.filter((item) => item.collections[0] === 'seasons')

/** The offset of a zone at a moment, such as `+02:00`. */
function offsetAt(date: string, zone: string): string {
  const parts = new Intl.DateTimeFormat('en-US', { timeZone: zone, timeZoneName: 'longOffset' }).formatToParts(new Date(date))
  return parts.find((part) => part.type === 'timeZoneName')?.value.replace('GMT', '') || '+00:00'
}

const ALLOWED = ['p', 'strong', 'em', 'ul', 'ol', 'li', 'blockquote', 'h3', 'a']
type Node = { nodeName: string; attrs?: { name: string }[]; childNodes?: Node[] }
function elements(node: Node): Node[] {
  return (node.childNodes ?? []).flatMap((child) => [...(child.nodeName === '#text' ? [] : [child]), ...elements(child)])
}

describe('the story', () => {
  test('The story has at least 60 photos, 20 posts, 8 people and three members in the main collection', () => {
    expect(inMain(demo.pictures).length).toBeGreaterThanOrEqual(60)
    expect(inMain(demo.posts).length).toBeGreaterThanOrEqual(20)
    expect(main?.people).toHaveLength(8)
    expect(main?.members.map((m) => m.role)).toEqual(['owner', 'write', 'read'])
  })

  test('The story has events and notes of every kind but "other" notes, and every precision', () => {
    expect(new Set(demo.posts.filter((p) => p.type === 'event').map((p) => p.kind)).size).toBe(7)
    expect(new Set(demo.posts.filter((p) => p.type === 'note').map((p) => p.kind)).size).toBe(5)
    expect(new Set(demo.posts.map((p) => p.precision))).toEqual(new Set(['minute', 'day', 'month', 'year', 'unknown']))
  })

  test('The story spans three years and at least four continents', () => {
    const dates = demo.posts.flatMap((p) => p.date ?? []).sort()
    expect(dates.at(0)).toMatch(/^2023-10/)
    expect(dates.at(-1)).toMatch(/^2026-10/)
    const continents = new Set(demo.posts.flatMap((p) => p.zone?.split('/')[0] ?? []))
    expect([...continents].sort()).toEqual(['Africa', 'America', 'Asia', 'Europe'])
    expect(demo.posts.some((p) => p.zone?.startsWith('America/') && (p.location?.lat ?? 0) < 0)).toBe(true)
  })

  test('The story invites Nora to one collection, and Sam, who has tags already, to another', () => {
    expect(demo.collections.flatMap((c) => c.invites.map((i) => [c.key, i.email, i.person]))).toEqual([
      ['seasons', 'sam@example.org', 'Sam Whitaker'],
      ['cabin', 'nora@example.org', null],
    ])
  })
})

describe('every item', () => {
  const items = [...demo.pictures.map((p) => ({ ...p, name: p.file })), ...demo.posts.map((p) => ({ ...p, name: p.title }))]

  test.each(items)('$name has a date that agrees with its zone and precision', ({ date, zone, precision }) => {
    if (date === null || zone === null) expect([date, zone, precision]).toEqual([null, null, 'unknown'])
    else {
      expect(precision).not.toBe('unknown')
      expect(date.slice(-6)).toBe(offsetAt(date, zone))
    }
  })

  test.each(items)('$name is by a user who may add to its collections, and names people of the first', ({ by, collections, people }) => {
    for (const key of collections) {
      const member = demo.collections.find((c) => c.key === key)?.members.find((m) => m.user === by)
      expect(['owner', 'write']).toContain(member?.role)
    }
    const known = demo.collections.find((c) => c.key === collections[0])?.people.map((p) => p.name)
    expect(known).toEqual(expect.arrayContaining(people))
    expect(new Set(people).size).toBe(people.length)
  })
})

describe('every post', () => {
  test.each(demo.posts)('$title would be accepted as sent', ({ type, kind, title, body, date, zone, precision, endsAt, location }) => {
    NewPost.parse({ type, kind, title, body, date, dateZone: zone, datePrecision: precision, endsAt, location })
  })

  test.each(demo.posts)('$title uses the allowed tags and no attribute but href', ({ body }) => {
    const all = elements(parseFragment(body) as Node)
    expect(ALLOWED).toEqual(expect.arrayContaining(all.map((e) => e.nodeName)))
    expect(all.flatMap((e) => e.attrs ?? []).filter((a) => a.name !== 'href')).toEqual([])
  })

  test.each(demo.posts)('$title shows photos that are in its collection', ({ pictures, collections }) => {
    for (const file of pictures)
      expect(demo.pictures.find((p) => p.file === file)?.collections).toEqual(expect.arrayContaining(collections))
  })
})

describe('every photo', () => {
  test('Each photo file is named once and has a source and licence, and all stay under 12 MB', () => {
    const files = readdirSync(folder).sort()
    expect(demo.pictures.map((p) => p.file).sort()).toEqual(files)
    const sources = [...read('SOURCES.md').matchAll(/^\| ([a-z0-9-]+\.jpg) +\|/gm)].map((m) => m[1])
    expect(sources.sort()).toEqual(files)
    expect(files.reduce((sum, file) => sum + statSync(new URL(file, folder)).size, 0)).toBeLessThan(12e6)
  })

  test.each(demo.pictures)('$file has an alternative text and matching EXIF', async ({ file, alt, date, location }: DemoPicture) => {
    expect(alt.length).toBeGreaterThan(30)
    expect(alt.length).toBeLessThan(LIMITS.altText)
    const { exif = {}, gps } = await ExifReader.load(readFileSync(new URL(file, folder)), { expanded: true, async: true })
    const wall = exif.DateTimeOriginal?.description.replace(/^(\d+):(\d+):(\d+) /, '$1-$2-$3T')
    expect(wall ? wall + (exif.OffsetTimeOriginal?.description ?? '') : null).toBe(date)
    expect(Boolean(exif.Make && exif.Model)).toBe(date !== null)
    if (location === null) expect(gps?.Latitude).toBeUndefined()
    else {
      expect(gps?.Latitude).toBeCloseTo(location.lat, 5)
      expect(gps?.Longitude).toBeCloseTo(location.lon, 5)
    }
  })

  test('All but three photos have a date, and at most ten have no location', () => {
    expect(demo.pictures.filter((p) => p.date === null)).toHaveLength(3)
    expect(demo.pictures.filter((p) => p.location === null).length).toBeGreaterThanOrEqual(6)
    expect(demo.pictures.filter((p) => p.location === null).length).toBeLessThanOrEqual(10)
  })
})
