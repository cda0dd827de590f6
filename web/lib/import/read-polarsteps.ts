import { t } from '#say'
import { LIMITS } from '../../../contract/limits.ts'
import { fitLine, fitLocation, fitText, fitZone, momentAt } from '../../../contract/photos/fit.ts'
import { z } from '../../../contract/zod.ts'
import { jsonOf } from '../json.ts'
import { paragraphsOf } from '../sanitize.ts'
import { inPortions, whenAt } from './entry-posts.ts'
import { listOf, maybe } from './loose.ts'
import { nameIn, prefixOf } from './paths.ts'
import { beginReading, endReading, takeFile, textOf } from './sources.ts'
import type { Found, FoundFile, FoundFiles, PlannedAsset, PlannedPost, Reading, ReadOptions } from './types.ts'

const Id = maybe(z.union([z.number(), z.string()]))

/** Times in seconds since 1970. */
const Step = z.object({
  id: Id,
  name: maybe(z.string()),
  display_name: maybe(z.string()),
  description: maybe(z.string()),
  start_time: maybe(z.number()),
  timezone_id: maybe(z.string()),
  is_deleted: maybe(z.boolean()),
  location: maybe(z.object({ name: maybe(z.string()), detail: maybe(z.string()), lat: maybe(z.number()), lon: maybe(z.number()) })),
})
type Step = z.infer<typeof Step>

const Trip = z.object({
  id: Id,
  name: maybe(z.string()),
  summary: maybe(z.string()),
  start_date: maybe(z.number()),
  end_date: maybe(z.number()),
  timezone_id: maybe(z.string()),
  all_steps: z.array(z.unknown()),
})
type Trip = z.infer<typeof Trip>

const Steps = listOf(Step)

const untitled = () => t({ message: 'Trip', context: 'noun' })

/**
 * An export of Polarsteps: a folder for each trip, with trip.json and a folder for each step. A trip becomes an event, a step a note with its
 * media. The track of locations.json has no place in Cairn. Null for other files.
 */
export async function readPolarsteps({ files }: FoundFiles, { signal, onProgress }: ReadOptions): Promise<Found | null> {
  const jsons = files.filter(({ path }) => /(^|\/)trip\.json$/i.test(path))
  const found = beginReading()
  const titles: string[] = []
  for (const [at, json] of jsons.entries()) {
    signal.throwIfAborted()
    onProgress(at / jsons.length)
    const trip = Trip.safeParse(jsonOf(await textOf(json).catch(() => ''))).data
    if (!trip) continue
    titles.push(fitLine(trip.name, LIMITS.collectionName) || untitled())
    const folder = prefixOf(json.path)
    const ofArchive = files.filter(({ archive }) => archive === json.archive)
    const media = ofArchive.filter(({ path }) => path.startsWith(folder) && !isJson(path))
    readTrip(trip, media, folder, found)
    for (const file of [...media, ...ofArchive.filter(({ path }) => isJson(path))]) found.used.add(file)
  }
  return titles.length > 0 ? { format: 'polarsteps', title: titles.join(', '), ...endReading(found, files) } : null
}

const isJson = (path: string) => /\.json$/i.test(path)

function readTrip(trip: Trip, media: readonly FoundFile[], folder: string, found: Reading): void {
  found.posts.push(...eventOf(trip))
  const byFolder = Map.groupBy(media, ({ path }) => path.slice(folder.length).split('/')[0] ?? '')
  const steps = Steps.parse(trip.all_steps)
    .filter((step) => !step.is_deleted)
    .map((step) => ({ ...step, timezone_id: step.timezone_id ?? trip.timezone_id }))
  for (const step of steps) {
    // The folder is named by the words and the number of the step.
    const name = [...byFolder.keys()].find((key) => step.id !== undefined && (key === `${step.id}` || key.endsWith(`_${step.id}`)))
    const pictures = (name === undefined ? [] : (byFolder.get(name) ?? [])).flatMap((file) => assetOf(file, step, found))
    if (name !== undefined) byFolder.delete(name)
    found.assets.push(...pictures)
    found.posts.push(...postsOf(step, trip, pictures))
  }
  for (const file of [...byFolder.values()].flat()) found.assets.push(...assetOf(file, null, found))
}

function whenOf(seconds: number | undefined, zone: string | undefined, precision: 'minute' | 'day') {
  return whenAt(momentAt(seconds === undefined ? undefined : seconds * 1000), fitZone(zone), precision)
}

function eventOf({ id, name, summary, start_date, end_date, timezone_id }: Trip): PlannedPost[] {
  const when = whenOf(start_date, timezone_id, 'day')
  if (!when.date) return []
  const end = whenOf(end_date, timezone_id, 'day').date
  const fields = {
    ...{ type: 'event' as const, kind: 'trip', title: fitLine(name, LIMITS.postTitle) || untitled(), body: paragraphsOf(fitText(summary)) },
    ...when,
    endsAt: end && Date.parse(end) >= Date.parse(when.date) ? end : null,
  }
  return [{ key: `polarsteps trip ${id ?? name}`, fields, pictures: [], people: [] }]
}

function assetOf(file: FoundFile, step: Step | null, found: Reading): PlannedAsset[] {
  const name = nameIn(file.path)
  if (!takeFile(file, name, found)) return []
  if (!step) return [{ file, name, people: [] }]
  const when = whenOf(step.start_time, step.timezone_id, 'day')
  return [{ file, name, overrides: { exactly: false, onlyMissing: true, ...when, location: placeOf(step), alt: null }, people: [] }]
}

function placeOf({ location }: Step) {
  return location ? fitLocation(location.lat, location.lon, [location.name, location.detail].filter(Boolean).join(', ')) : null
}

function postsOf(step: Step, trip: Trip, pictures: readonly PlannedAsset[]): PlannedPost[] {
  const fields = {
    ...{ type: 'note' as const, kind: 'journal' },
    title:
      fitLine(step.name || step.display_name || step.location?.name, LIMITS.postTitle) ||
      t({ message: 'Step', context: 'noun', comment: 'A part of a trip' }),
    body: paragraphsOf(fitText(step.description)),
    ...whenOf(step.start_time, step.timezone_id, 'minute'),
    location: placeOf(step),
  }
  return inPortions({ key: `polarsteps step ${step.id ?? `${trip.id} ${step.start_time}`}`, fields, people: [] }, pictures)
}
