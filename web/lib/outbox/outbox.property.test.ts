import fc from 'fast-check'
import { expect, test, vi } from 'vitest'
import { newId } from '../../../contract/ids.ts'
import { create, edit, type Fate, NEW, shift, stage, trash } from '../../../tests/support/outbox-device.ts'
import { fieldsOf, namesOf, pick } from './merge.ts'

vi.mock('../api.ts', async (original) => ({ ...(await original<typeof import('../api.ts')>()), call: vi.fn() }))

test('Any sequence of events ends with the same screen as a fresh load', async () => {
  const step = fc.oneof(
    fc.record({ do: fc.constantFrom('create', 'edit', 'body', 'trash', 'shift', 'place', 'undo'), at: fc.nat(5), n: fc.nat(99) }),
    fc.record({ do: fc.constantFrom('refresh', 'reload', 'pass', 'offline', 'online', 'theirs', 'take'), at: fc.nat(5), n: fc.nat(99) }),
  )
  const fate = fc.constantFrom<Fate>('arrives', 'arrives', 'lost', 'unreached', 'busy', 'limited', 'broken')
  const property = fc.asyncProperty(
    fc.array(step, { minLength: 3, maxLength: 25 }),
    fc.array(fate, { maxLength: 24 }),
    async (steps, fates) => {
      const s = stage()
      await s.queue().lead()
      s.fates.push(...fates)
      const mine: string[] = []
      const shifts = new Map<string, number>()
      for (const { do: what, at, n } of steps) {
        const screen = s.screen()
        const row = screen[at % Math.max(1, screen.length)]
        if (what === 'create') mine.push(await s.act(create(newId(), `New ${n}`)))
        else if (what === 'refresh') await s.refresh()
        else if (what === 'reload') await s.reload()
        else if (what === 'pass') await s.pass()
        else if (what === 'offline') s.setOnline(false)
        else if (what === 'online') s.setOnline(true)
        else if (what === 'theirs') {
          const theirs = s.server.list()[at]
          if (theirs) s.server.write({ ...theirs, title: `Theirs ${n}` })
        } else if (what === 'take') await s.queue().takeBack(mine.at(-1) ?? '')
        else if (!row) continue
        else if (what === 'edit') mine.push(await s.act(edit(row, { title: `Mine ${n}` })))
        else if (what === 'body') mine.push(await s.act(edit(row, { body: `<p>${n}</p>` })))
        else if (what === 'trash') mine.push(await s.act(trash(row.id)))
        else if (what === 'place')
          mine.push(await s.act({ kind: 'location', item: 'post', ids: [row.id], location: { lat: n / 2, lon: n } }))
        else if (what === 'shift') {
          shifts.set(row.id, (shifts.get(row.id) ?? 0) + 1)
          mine.push(await s.act(shift(row, 1)))
        }
      }
      s.fates.length = 0
      s.setOnline(true)
      for (let round = 0; round < 40 && s.queue().operations().length > 0; round++) {
        s.queue().retryNow()
        await s.flush()
        for (const { id, state, theirs, action } of s.queue().operations()) {
          if (state === 'refused' && round % 2) await s.queue().drop(id)
          else if (state === 'refused') await s.queue().retry(id)
          if (state !== 'conflict' || !theirs || action.kind !== 'editPost') continue
          if (round % 2) await s.queue().drop(id)
          else await s.queue().retry(id, { ...action, version: theirs.version, before: pick(fieldsOf(theirs), namesOf(action.patch)) })
        }
        await s.refresh()
      }
      await s.refresh()
      expect(s.queue().operations()).toEqual([])
      expect(s.screen()).toEqual(s.server.list())
      for (const post of s.server.list()) {
        const days = (Date.parse(post.date ?? '') - Date.parse(NEW.date)) / 86_400_000
        expect(days).toBeLessThanOrEqual(shifts.get(post.id) ?? 0)
      }
    },
  )
  await fc.assert(property, { numRuns: 500 })
})
