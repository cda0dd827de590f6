import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import type { Invite } from '../../../contract/invites.ts'
import type { Db } from '../../db/client.ts'
import type { Env } from '../../env.ts'
import { sendMail, sendsMail } from '../../mail.ts'
import { unseenOf } from '../../push/send.ts'
import { vapidOf } from '../../push/vapid.ts'
import { claimInvitesToTell, findInvitation, type InvitationToTell, recordInvitedTold } from '../../queries/invites.ts'
import { listInvitedSubscriptions } from '../../queries/push.ts'
import { countAttempts } from '../../queries/rate-limits.ts'
import { notifyInvited, notifyUntold } from './notify-invited.ts'

vi.mock('../../mail.ts')
vi.mock('../../push/send.ts', async (original) => ({ ...(await original<object>()), sendPushes: vi.fn(), unseenOf: vi.fn() }))
vi.mock('../../push/vapid.ts')
vi.mock('../../queries/invites.ts')
vi.mock('../../queries/push.ts')
vi.mock('../../queries/rate-limits.ts')

beforeEach(() => void vi.mocked(countAttempts).mockResolvedValue(null))
afterEach(() => void vi.resetAllMocks())

const INVITATION: InvitationToTell = {
  ...{ collection: 'Kyoto', inviterName: 'Ada', inviterEmail: 'ada@example.org', expiresAt: '2026-12-30T10:00:00Z', dates: null },
  inviter: { displayLanguage: null, language: null },
}
const invite = (n: number) => ({ id: String(n), email: `p${n}@example.org`, invited_by: 'ada' }) as Invite

test('the people of a list are mailed one after another, also after one that failed', async () => {
  const warn = vi.spyOn(console, 'warn').mockReturnValue()
  vi.mocked(findInvitation).mockResolvedValue(INVITATION).mockRejectedValueOnce(new Error('The connection was lost'))
  let [sending, most] = [0, 0]
  vi.mocked(sendMail).mockImplementation(async () => {
    most = Math.max(most, ++sending)
    await new Promise(setImmediate)
    sending--
    return true
  })
  await notifyInvited({ APP_ORIGIN: 'https://cairn.example' } as Env, {} as Db, [1, 2, 3, 4].map(invite))
  expect(vi.mocked(sendMail).mock.calls.map(([, { to }]) => to)).toEqual(['p2@example.org', 'p3@example.org', 'p4@example.org'])
  expect(most).toBe(1)
  expect(warn).toHaveBeenCalledOnce()
})

test('who could not be mailed is to be told later, and who was mailed is not', async () => {
  vi.mocked(sendsMail).mockReturnValue(true)
  vi.mocked(findInvitation).mockResolvedValue(INVITATION)
  vi.mocked(sendMail).mockImplementation(async (_env, { to }) => to !== 'p2@example.org')
  await notifyInvited({ APP_ORIGIN: 'https://cairn.example' } as Env, {} as Db, [1, 2, 3].map(invite))
  expect(vi.mocked(recordInvitedTold).mock.calls.map(([, id]) => id)).toEqual(['1', '3'])
})

test('who was mailed is not mailed again because the notification failed, and later tries mail alone', async () => {
  const warn = vi.spyOn(console, 'warn').mockReturnValue()
  vi.mocked(vapidOf).mockReturnValue({} as ReturnType<typeof vapidOf>)
  vi.mocked(listInvitedSubscriptions).mockRejectedValue(new Error('The connection was lost'))
  vi.mocked(findInvitation).mockResolvedValue(INVITATION)
  vi.mocked(sendMail).mockResolvedValue(true)
  await notifyInvited({ APP_ORIGIN: 'https://cairn.example' } as Env, {} as Db, [invite(1)])
  expect(recordInvitedTold).toHaveBeenCalledExactlyOnceWith({}, '1')
  expect(warn).toHaveBeenCalledOnce()

  vi.mocked(claimInvitesToTell).mockResolvedValue([invite(2)])
  await notifyUntold({ APP_ORIGIN: 'https://cairn.example' } as Env, {} as Db)
  expect(recordInvitedTold).toHaveBeenLastCalledWith({}, '2')
  expect(listInvitedSubscriptions).toHaveBeenCalledOnce()
})

test('a mail service that is down uses up nothing, unless the browsers of the invited person were notified', async () => {
  const env = { APP_ORIGIN: 'https://cairn.example' } as Env
  const counted = () => vi.mocked(countAttempts).mock.calls.map(([, , by]) => by)
  vi.mocked(sendsMail).mockReturnValue(true)
  vi.mocked(vapidOf).mockReturnValue({} as ReturnType<typeof vapidOf>)
  vi.mocked(findInvitation).mockResolvedValue(INVITATION)
  vi.mocked(sendMail).mockResolvedValue(false)
  vi.mocked(listInvitedSubscriptions).mockResolvedValue([])
  vi.mocked(claimInvitesToTell).mockResolvedValue([invite(1)])
  await notifyInvited(env, {} as Db, [invite(1)])
  await notifyUntold(env, {} as Db)
  expect(counted()).toEqual([1, -1, 1, -1])

  vi.mocked(unseenOf).mockResolvedValue(() => ({ unseen: 0 }))
  vi.mocked(listInvitedSubscriptions).mockResolvedValue([{ userId: 'eve' } as Awaited<ReturnType<typeof listInvitedSubscriptions>>[number]])
  await notifyInvited(env, {} as Db, [invite(1)])
  expect(counted()).toEqual([1, -1, 1, -1, 1])
  expect(recordInvitedTold).not.toHaveBeenCalled()
})
