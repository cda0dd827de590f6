import { Hono } from 'hono'
import { t } from '#say'
import { NewFilm } from '../../contract/films.ts'
import { checks } from '../auth/checks.ts'
import { signedIn } from '../auth/guard.ts'
import { signedInOrGuest } from '../auth/guest.ts'
import type { AppEnv } from '../context.ts'
import type { Env } from '../env.ts'
import { notFound } from '../http/errors.ts'
import { limited } from '../http/limited.ts'
import { assetParam, body } from '../http/validate.ts'
import { filmResponse } from '../media/file-response.ts'
import { findFilm } from '../queries/films.ts'
import { beginFilm, deleteFilm, discardFilm, finishFilm, openFilm, receiveFilmPart } from '../services/uploads/receive-film.ts'

const withBucket = <V>(c: { var: V; env: Env }) => ({ ...c.var, bucket: c.env.FILES })

/** Playable films of videos. */
export const films = new Hono<AppEnv>()
  .post('/', signedIn, checks('item.edit'), body(NewFilm), limited('upload', 'uploadsOfDay'), async (c) =>
    c.json({ success: true, ...(await beginFilm(withBucket(c), assetParam(c), c.req.valid('json'))) }),
  )
  .put('/parts/:part', signedIn, checks('item.edit'), async (c) => {
    const part = await receiveFilmPart(withBucket(c), { id: assetParam(c), n: c.req.param('part') }, c.req.raw)
    return c.json({ success: true, part })
  })
  .get('/upload', signedIn, checks('item.edit'), async (c) => {
    const { partSize, parts, received } = await openFilm(c.var, assetParam(c))
    return c.json({ success: true, partSize, parts, received: Object.keys(received).map(Number) })
  })
  .post('/complete', signedIn, checks('item.edit'), async (c) =>
    c.json({ success: true, asset: await finishFilm(withBucket(c), assetParam(c)) }),
  )
  .delete('/upload', signedIn, checks('item.edit'), async (c) => {
    await discardFilm(withBucket(c), assetParam(c))
    return c.json({ success: true })
  })
  .delete('/', signedIn, checks('item.edit'), async (c) => c.json({ success: true, asset: await deleteFilm(withBucket(c), assetParam(c)) }))
  .get('/', signedInOrGuest, async (c) => {
    const film = await findFilm(c.var.db, c.var.user.id, assetParam(c))
    if (!film) throw notFound(t`The film was not found`)
    return filmResponse(c.env.FILES, film, c.req.raw)
  })
