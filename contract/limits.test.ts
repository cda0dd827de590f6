import { expect, test } from 'vitest'
import { BACK_OFF, LIMITS, LIVE, ROOM_LIMITS, TOASTS } from './limits.ts'

// Other tests compute with these constants. People and scripts rely on the figures, so they stand here once more.

test('Texts, lists and files are limited as promised', () => {
  expect(LIMITS).toMatchObject({
    ...{ jsonBody: 1_048_576, theme: 4_096, fileSize: 5_368_709_120, partSize: 8_388_608, renditionSize: 2_097_152, avatarSize: 2_097_152 },
    ...{ collectionName: 100, postTitle: 200, postBody: 100_000, comment: 2_000, guestName: 60, passwordMin: 8, passwordMax: 128 },
    ...{ peoplePerCollection: 200, pendingInvitesPerCollection: 500, linksPerCollection: 50, assetsPerPost: 100, partsPerGroup: 100 },
    ...{ bulkIds: 1_000, invitesPerCall: 100, uploadsPerCall: 100, defaultPageSize: 500 },
  })
})

test('Invites, the trash, uploads, tokens and sessions end when promised', () => {
  expect(LIMITS).toMatchObject({ inviteDays: 30, trashDays: 30, uploadDays: 7, tokenDays: 90, sessionDays: 400 })
})

test('A live connection ends, is checked and reconnects when promised', () => {
  expect(ROOM_LIMITS).toEqual({ ticketSeconds: 60, socketMinutes: 15, messageBytes: 2_048, messagesPerSecond: 5 })
  expect(LIVE).toEqual({ retries: 5, healthCheck: 30_000, onlineDelay: 1_000, heartbeat: 25_000, timeout: 10_000, pushBuffer: 100 })
  expect(BACK_OFF).toEqual({ first: 1_000, max: 30_000, jitter: 1_000 })
})

test('At most five toasts show, for five seconds each', () => {
  expect(TOASTS).toEqual({ max: 5, duration: 5_000, removalDelay: 200 })
})
