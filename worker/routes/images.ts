import { Hono } from 'hono'
import { t } from '#say'
import { parseModifiers } from '../../contract/images.ts'
import { isGuestUser } from '../../contract/links.ts'
import { signedInOrGuest } from '../auth/guest.ts'
import { openDatabase } from '../auth/open-database.ts'
import type { AppEnv } from '../context.ts'
import { AppError, notFound } from '../http/errors.ts'
import { idParam } from '../http/validate.ts'
import { pictureAccess } from '../queries/picture-access.ts'
import { limitAttempts } from '../services/accounts/limit-attempts.ts'
import { providedImage } from '../services/provide-image.ts'
import { serveImage } from '../services/serve-image.ts'

/** Images of assets in other sizes and formats (contract/images.ts). */
export const images = new Hono<AppEnv>()
  .get('/:modifiers/:id', signedInOrGuest, async (c) => {
    const read = parseModifiers(c.req.param('modifiers'))
    if ('problem' in read) throw new AppError('invalid', t`This picture cannot be made: ${{ problem: read.problem }}`)
    const asset = await pictureAccess.find(c.var, idParam(c.req.param('id'), t`The picture was not found`), c.req.query('v'))
    if (!asset) throw notFound(t`The picture was not found`)
    const elsewhere = await providedImage(c.env, { userId: c.var.user.id, access: c.var.access }, { asset, modifiers: read.modifiers })
    if (elsewhere) return elsewhere
    const stores = {
      bucket: c.env.FILES,
      images: c.env.IMAGES,
      later: (work: Promise<unknown>) => c.executionCtx.waitUntil(work),
      limit: () =>
        // Guests cannot count (migrations/0044_links.sql).
        limitAttempts(isGuestUser(c.var.user.id) ? openDatabase(c) : c.var.db, {
          actions: ['image'],
          // Guests cost nothing to make: those of a link count together.
          user: c.var.link ?? c.var.user.id,
          photo: asset.id,
          factor: c.env.RATE_LIMIT_FACTOR,
          what: (wait) => t`Too many sizes of one photo. Try again in ${wait}`,
        }),
    }
    return serveImage(stores, asset, read.modifiers, c.req.raw)
  })
  .all('*', () => {
    throw notFound(t`The picture was not found`)
  })
