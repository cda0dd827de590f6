import { afterEach, expect, test, vi } from 'vitest'
import type { Invite } from '../../../contract/invites.ts'
import type { Db } from '../../db/client.ts'
import type { Env } from '../../env.ts'
import { sendMail } from '../../mail.ts'
import { findInvitation, type InvitationToTell } from '../../queries/invites.ts'
import { notifyAllInvited } from './notify-invited.ts'

vi.mock('../../mail.ts')
vi.mock('../../queries/invites.ts')
vi.mock('../../queries/rate-limits.ts', () => ({ countAttempts: async () => null }))

afterEach(() => void vi.restoreAllMocks())

test('the people of a list are mailed one after another, also after one that failed', async () => {
  const warn = vi.spyOn(console, 'warn').mockReturnValue()
  const languages = { displayLanguage: null, language: null }
  const told = { collection: 'Kyoto', inviterName: 'Ada', inviterEmail: 'ada@example.org', expiresAt: '2026-12-30T10:00:00Z', dates: null }
  const invitation: InvitationToTell = { ...told, inviter: languages }
  vi.mocked(findInvitation).mockResolvedValue(invitation).mockRejectedValueOnce(new Error('The connection was lost'))
  let [sending, most] = [0, 0]
  vi.mocked(sendMail).mockImplementation(async () => {
    most = Math.max(most, ++sending)
    await new Promise(setImmediate)
    sending--
    return true
  })
  const invites = [1, 2, 3, 4].map((n) => ({ id: String(n), email: `p${n}@example.org`, invited_by: 'ada' }) as Invite)
  await notifyAllInvited({ APP_ORIGIN: 'https://cairn.example' } as Env, {} as Db, invites)
  expect(vi.mocked(sendMail).mock.calls.map(([, { to }]) => to)).toEqual(['p2@example.org', 'p3@example.org', 'p4@example.org'])
  expect(most).toBe(1)
  expect(warn).toHaveBeenCalledOnce()
})
