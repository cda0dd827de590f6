import { plural, t } from '#say'
import { When, Zone } from './dates.ts'
import { endpoint, Success } from './endpoint.ts'
import { Id } from './ids.ts'
import { LIMITS } from './limits.ts'
import { Location } from './locations.ts'
import { CollectionIds, StillIn } from './paging.ts'
import { z } from './zod.ts'

/** The items of a bulk call. Duplicate ids count once. */
const ids = z.array(Id).min(1).max(LIMITS.bulkIds)

/** Number of days from year 1 to 9999. */
const DAYS = 3_652_059
/** Ten years. For more, use days. */
const MINUTES = 5_256_000
const whole = (max: number) => z.number().int().min(-max).max(max)

/** Days are calendar days in the item's time zone: the local time stays the same across a clock change. Minutes are elapsed time. */
export const Shift = z.strictObject({ days: whole(DAYS).optional(), minutes: whole(MINUTES).optional() })
export type Shift = z.infer<typeof Shift>

export const BulkDate = z
  .strictObject({ ids, date: When.date, shift: Shift.optional(), dateZone: Zone.nullable().optional(), datePrecision: When.datePrecision })
  .superRefine(({ date, shift, datePrecision }, ctx) => {
    const refuse = (path: string, message: string) => ctx.addIssue({ code: 'custom', path: [path], message })
    if ((date === undefined) === (shift === undefined)) refuse('date', t`Send either a date or a shift`)
    if (shift && shift.days === undefined && shift.minutes === undefined) refuse('shift', t`Say by how many days or minutes`)
    if (shift && datePrecision === 'unknown') refuse('datePrecision', t`A shift cannot make a date unknown. Leave out datePrecision`)
  })
export type BulkDate = z.infer<typeof BulkDate>

const peopleIds = z
  .array(Id)
  .max(LIMITS.peoplePerItem, {
    error: () => t`${plural({ count: LIMITS.peoplePerItem }, { one: 'Choose at most # person', other: 'Choose at most # people' })}`,
  })
  .optional()
export const BulkPeople = z.strictObject({ ids, add: peopleIds, remove: peopleIds }).superRefine(({ add, remove }, ctx) => {
  if (!add?.length && !remove?.length) ctx.addIssue({ code: 'custom', path: ['add'], message: t`Choose people to add or to remove` })
  if (add?.some((id) => remove?.includes(id))) {
    ctx.addIssue({ code: 'custom', path: ['remove'], message: t`The same person cannot be added and removed at once` })
  }
})
export type BulkPeople = z.infer<typeof BulkPeople>

/**
 * Header with an id for `changeId` that the client has chosen. The same call with the same id has one effect, however often it is sent: the first answer
 * may have been lost.
 */
export const CHANGE_HEADER = 'cairn-change'

/** All or nothing. `changeId` undoes the call; `ids` are those that were sent, each once. */
const Changed = Success.extend({ ids: z.array(Id), count: z.number().int(), changeId: Id })
const Removed = Changed.extend({ stillIn: StillIn })

function bulkOf<K extends 'post' | 'asset'>(kind: K) {
  const what = `${kind}s` as const
  return {
    addToCollections: endpoint({
      method: 'PUT',
      path: `/api/${kind}/bulk.collections.add`,
      summary: `Put own ${what} into collections`,
      body: z.strictObject({ ids, collectionIds: CollectionIds.min(1, { error: () => t`Choose a collection` }) }),
      response: Changed,
    }),
    removeFromCollection: endpoint({
      method: 'PUT',
      path: `/api/${kind}/bulk.collections.remove`,
      summary: `Take ${what} out of a collection`,
      body: z.strictObject({ ids, collectionId: Id }),
      response: Removed,
    }),
    setDate: endpoint({
      method: 'POST',
      path: `/api/${kind}/bulk.date`,
      summary: `Set or shift the date of ${what}`,
      body: BulkDate,
      response: Changed,
    }),
    setLocation: endpoint({
      method: 'POST',
      path: `/api/${kind}/bulk.location`,
      summary: `Set or clear the place of ${what}`,
      body: z.strictObject({ ids, location: Location.nullable() }),
      response: Changed,
    }),
    tagPeople: endpoint({
      method: 'POST',
      path: `/api/${kind}/bulk.people`,
      summary: `Tag people in ${what}, or remove their tags`,
      body: BulkPeople,
      response: Changed,
    }),
    trash: endpoint({
      method: 'DELETE',
      path: `/api/${kind}/bulk`,
      summary: `Move ${what} to the trash`,
      body: z.strictObject({ ids }),
      response: Removed,
    }),
    removeOne: endpoint({
      method: 'DELETE',
      path: `/api/${kind}/{id}/collections/{collectionId}`,
      summary: `Take one ${kind} out of a collection`,
      response: Removed,
    }),
  }
}

export const bulkPosts = bulkOf('post')
export const bulkAssets = bulkOf('asset')
