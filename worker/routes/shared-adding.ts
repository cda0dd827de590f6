import { type Context, Hono } from 'hono'
import { t } from '#say'
import { NewAsset } from '../../contract/assets.ts'
import { hex } from '../../contract/bytes.ts'
import { Entry, guestUserId } from '../../contract/links.ts'
import { type ChecksEnv, checks } from '../auth/checks.ts'
import { openDatabase } from '../auth/open-database.ts'
import type { AppEnv } from '../context.ts'
import { AppError } from '../http/errors.ts'
import { attemptLimit } from '../http/limited.ts'
import { readFormOfFiles } from '../http/read-form.ts'
import { idParam, parse } from '../http/validate.ts'
import type { Holder } from '../queries/claims.ts'
import { findSharedHead } from '../queries/guests.ts'
import { nameGuest } from '../services/links/name-guest.ts'
import { discardAsset } from '../services/uploads/discard-asset.ts'
import { receiveWhole } from '../services/uploads/receive-whole.ts'
import { groupLater, UPLOAD_LIMITS } from './assets.ts'
import { namingOf } from './guest.ts'
import { formOfGuest, pageOf, quiet } from './shared.ts'

/** The forms by which guests add files on the page of a link, and take them back. Larger files go in parts, by the calls of members. */
export const sharedAdding = new Hono<AppEnv>()
  .use(quiet)
  // The page of a refusal has these addresses.
  .get('/:secret/:form{add|take-back}', (c) => c.redirect(pageOf(c), 303))
  .post('/:secret/add', checks('item.add'), (c) =>
    formOfGuest(contextOf(c), async (holder) => {
      const { fields, files } = await readFormOfFiles(c.req.raw, ['name'], 'files')
      const chosen = files.filter(({ size, name }) => size > 0 || name !== '')
      if (chosen.length === 0) throw new AppError('invalid', t`Choose at least one photo`)
      const { guest, collectionId } = await findSharedHead(openDatabase(contextOf(c), { access: holder.access, writes: false }))
      if (fields.name !== undefined && guest === null)
        await nameGuest(namingOf(contextOf(c), holder, collectionId), holder, parse(Entry, { name: fields.name }).name ?? '')
      for (const file of chosen) await receive(c, holder, file)
    }),
  )
  .post('/:secret/take-back', checks('item.remove'), (c) =>
    formOfGuest(contextOf(c), async ({ access, guest }) => {
      const { fields } = await readFormOfFiles(c.req.raw, ['id'], 'files')
      const db = openDatabase(contextOf(c), { access, guest: 'own' })
      const caller = { db, user: { id: guestUserId(guest) }, checks: c.var.checks, bucket: c.env.FILES }
      await discardAsset(caller, idParam(fields.id, t`The file was not found`))
    }),
  )

/** The marker adds to the context what the calls get apart. */
const contextOf = (c: unknown) => c as Context<AppEnv>

/** A file that is sent again is found by its bytes. */
async function receive(c: Context<ChecksEnv<'item.add'>>, { access, guest }: Holder, file: File): Promise<void> {
  const bytes = new Uint8Array(await file.arrayBuffer())
  const checksum = hex(await crypto.subtle.digest('SHA-256', bytes))
  const type = file.type || 'application/octet-stream'
  const user = { id: guestUserId(guest), email: '', emailVerified: false }
  const caller = {
    db: openDatabase(contextOf(c), { access, guest: 'upload' }),
    user,
    checks: c.var.checks,
    bucket: c.env.FILES,
    images: c.env.IMAGES,
  }
  const asset = parse(NewAsset, { name: file.name, type, size: bytes.length, checksum })
  const { received } = await receiveWhole(
    caller,
    { asset, bytes, renditions: {} },
    await attemptLimit({ var: { user }, env: c.env }, ...UPLOAD_LIMITS),
  )
  groupLater(c, received.asset)
}
