import { Hono } from 'hono'
import { signedIn } from '../auth/guard.ts'
import type { AppEnv } from '../context.ts'
import { tilesResponse } from '../media/map-tiles.ts'

export const map = new Hono<AppEnv>()
  .get('/config', signedIn, (c) => {
    const { MAP_STYLE_URL: light, MAP_STYLE_URL_DARK: dark, MAP_TILES } = c.env
    return c.json({ success: true, style: light ? { light, dark: dark || light } : null, tiles: Boolean(MAP_TILES) })
  })

  .get('/tiles', signedIn, (c) => tilesResponse(c.env.FILES, c.env.MAP_TILES, c.req.raw))
