import { expect, test } from 'vitest'
import type { SeenImage } from '../queries/images.ts'
import { providedImage } from './provide-image.ts'

const ENV = { APP_ORIGIN: 'https://app.example', LIVE_KEY: 'k'.repeat(32), IMAGE_PROVIDER: 'cdn' }
const photo: SeenImage = {
  ...{ id: '0190b6c0-0000-7000-8000-000000000001', name: 'a.jpg', type: 'image/jpeg', size: 10, checksum: 'c0ffee', version: 7 },
  ...{ renditions: { preview: 'image/webp' }, width: 40, height: 30, place: 'exact' },
}
const addressOf = async (asset: SeenImage, userId = 'ada') => {
  const answer = await providedImage(ENV, { userId, access: 'session' }, { asset, modifiers: { width: 75 } })
  return answer && decodeURIComponent(answer.headers.get('location') ?? '')
}

test('Another provider makes images from the original only where its bytes may be seen as they are', async () => {
  expect(await addressOf(photo)).toContain(`/api/asset/${photo.id}/file?`)
  const preview = `/api/asset/${photo.id}/renditions/preview?`
  for (const place of ['town', 'nothing'] as const) expect(await addressOf({ ...photo, place })).toContain(preview)
  expect(await addressOf(photo, 'guest:1')).toContain(preview)
  expect(await addressOf({ ...photo, place: 'town', renditions: {} })).toBeNull()
})
