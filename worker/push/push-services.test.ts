import { expect, test } from 'vitest'
import { isPushService } from './push-services.ts'

test.each([
  ['https://fcm.googleapis.com/fcm/send/a', true],
  ['https://FCM.googleapis.com/fcm/send/a', true],
  ['https://updates.push.services.mozilla.com/wpush/v2/a', true],
  ['https://web.push.apple.com/a', true],
  ['https://wns2-par02p.notify.windows.com/w/?token=a', true],
  ['https://push.example.org/a', true],
  ['https://eu.push.example.org/a', true],
  ['https://fcm.googleapis.com.example.net/a', false],
  ['https://evilfcm.googleapis.com/a', false],
  ['https://googleapis.com/fcm/send/a', false],
  ['https://example.net/fcm.googleapis.com', false],
  ['https://example.net/?fcm.googleapis.com', false],
  ['http://127.0.0.1:4747/a', false],
])('Whether %s is a push service is %s', (endpoint, known) => {
  expect(isPushService(endpoint, 'push.example.org')).toBe(known)
})
