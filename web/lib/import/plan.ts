import { t } from '#say'
import { dayOf } from '../../../contract/dates.ts'
import type { GivenFile } from '../entries.ts'
import { countText } from '../media-text.ts'
import { isArchive, withoutArchiveEnding } from './archive-name.ts'
import { readCairn } from './read-cairn.ts'
import { readDayOne } from './read-day-one.ts'
import { readFolder } from './read-folder.ts'
import { readJourney } from './read-journey.ts'
import { readPolarsteps } from './read-polarsteps.ts'
import { readTakeout } from './read-takeout.ts'
import { readWhatsApp } from './read-whatsapp.ts'
import { findFiles, withoutNested } from './sources.ts'
import { type Found, type ImportPlan, type ReadOptions, UnreadableError } from './types.ts'

/** Reads the given files and plans the import. Stores nothing. Throws UnreadableError. */
export async function planImport(input: readonly GivenFile[], options: ReadOptions): Promise<ImportPlan> {
  const all = await findFiles(input, options)
  if (all.files.length === 0) throw new UnreadableError(all.refused[0]?.reason ?? t`There is no file in it`)
  // These know each of their files, whatever they are.
  const whole = (await readCairn(all)) ?? (await readTakeout(all, options))
  const found = whole ? all : withoutNested(all)
  const { others, ...read }: Found =
    whole ??
    (await readDayOne(found, options)) ??
    (await readJourney(found, options)) ??
    (await readPolarsteps(found, options)) ??
    (await readWhatsApp(found, titleOf(input), options)) ??
    (await readFolder(found, titleOf(input), options))
  const rest = withoutNested({ files: others ?? [], refused: [] })
  const beside = await readFolder(rest, '', options)
  const plan = {
    collection: null,
    posts: [],
    groups: [],
    leftOut: [],
    note: null,
    authors: [],
    ...read,
    people: new Map([...(read.people ?? []), ...beside.people]),
    assets: [...(read.assets ?? []), ...beside.assets],
    refused: [...found.refused, ...(read.refused ?? []), ...rest.refused, ...beside.refused],
  }
  return { ...plan, days: daysOf(plan) }
}

function titleOf(input: readonly GivenFile[]): string {
  const [first] = input
  if (!first) return ''
  const folder = first.path.includes('/') ? first.path.split('/')[0] : undefined
  return folder ?? (input.length === 1 || isArchive(first.path) ? withoutArchiveEnding(first.path) : countText(input.length, 'file'))
}

function daysOf({ posts, assets }: Pick<ImportPlan, 'posts' | 'assets'>): ImportPlan['days'] {
  let [from, to] = ['9999', '']
  for (const { date, dateZone } of [...posts.map(({ fields }) => fields), ...assets.flatMap(({ overrides }) => overrides ?? [])]) {
    const day = dayOf(date ?? null, dateZone ?? null)
    if (day && day < from) from = day
    if (day && day > to) to = day
  }
  return to ? { from, to } : null
}
