import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { Comment } from '../../contract/comments.ts'
import { type Topic, talkIn } from '../support/talk.ts'
import { type World, world } from '../support/world.ts'

type Who = 'ada' | 'bob' | 'rita'
type Op =
  | { do: 'say'; text: string; answers: number | null }
  | { do: 'edit'; text: string; of: number }
  | { do: 'hide'; hidden: boolean; of: number }
  | { do: 'delete' | 'undelete'; of: number }
  | { do: 'react' | 'takeBack'; emoji: string; of: number | null }
  | { do: 'remove' | 'bringBack' }

const emoji = fc.constantFrom('👍', '🎉')
const of = fc.nat(5)
const step: fc.Arbitrary<{ who: Who; op: Op }> = fc.record({
  who: fc.constantFrom('ada', 'bob', 'rita'),
  op: fc.oneof(
    { weight: 4, arbitrary: fc.record({ do: fc.constant('say' as const), text: fc.constantFrom('A', 'B'), answers: fc.option(of) }) },
    fc.record({ do: fc.constant('edit' as const), text: fc.constantFrom('C', 'D'), of }),
    fc.record({ do: fc.constant('hide' as const), hidden: fc.boolean(), of }),
    { weight: 2, arbitrary: fc.record({ do: fc.constantFrom('delete' as const, 'undelete' as const), of }) },
    { weight: 2, arbitrary: fc.record({ do: fc.constantFrom('react' as const, 'takeBack' as const), emoji, of: fc.option(of) }) },
    fc.constantFrom<Op>({ do: 'remove' }, { do: 'bringBack' }),
  ),
})

interface Said {
  id: string
  by: Who
  text: string
  answers: string | null
  hidden: boolean
  deleted: boolean
  /** Undoes the last deletion. */
  changeId: string | null
  reactions: Set<string>
}

/** What the server should have. */
class Model {
  readonly said: Said[] = []
  readonly reactions = new Set<string>()
  there = true

  isShown = (one: Said): boolean => !one.deleted || this.said.some((other) => other.answers === one.id && this.isShown(other))

  visible() {
    return this.said.filter(this.isShown).map(({ id, text, answers, hidden, deleted, reactions }) => ({
      id,
      state: deleted ? 'deleted' : hidden ? 'hidden' : 'shown',
      text: deleted ? '' : text,
      answers,
      reactions: deleted ? [] : [...reactions].toSorted(),
    }))
  }
}

/** As the model writes it, with who chose each emoji. */
function plain(w: World, comments: Comment[]) {
  const name = new Map(['ada', 'bob', 'rita'].map((who) => [w.as(who).id, who]))
  return comments.map(({ id, state, text, reply_to, reactions }) => ({
    id,
    state,
    text,
    answers: reply_to,
    reactions: reactions.flatMap(({ emoji, who }) => who.map((one) => `${name.get(one.id)} ${emoji}`)).toSorted(),
  }))
}

/** One step for both. Returns the status that the model expects, and that of the server. */
async function act(w: World, t: ReturnType<typeof talkIn>, topic: Topic, model: Model, who: Who, op: Op): Promise<[number, number]> {
  const { said, there } = model
  const one = 'of' in op && op.of !== null ? said[op.of] : undefined
  const seen = (comment: Said | undefined): comment is Said => there && comment !== undefined && !comment.deleted
  const path = one && `/api/comments/${one.id}`
  switch (op.do) {
    case 'say': {
      const answered = op.answers === null ? undefined : said[op.answers]
      const { status, body } = await t.say(who, topic, op.text, answered && { replyTo: answered.id })
      const expected = there ? (answered?.deleted ? 409 : 201) : 404
      if (expected === 201) {
        const fresh = { by: who, text: op.text, answers: answered?.id ?? null, hidden: false, deleted: false, changeId: null }
        said.push({ ...fresh, id: body.comment.id, reactions: new Set() })
      }
      return [expected, status]
    }
    case 'edit': {
      if (!path || !one) return [0, 0]
      const { status } = await w.as(who).patch(path, { text: op.text })
      if (!seen(one)) return [404, status]
      if (one.by === who) one.text = op.text
      return [one.by === who ? 200 : 403, status]
    }
    case 'hide': {
      if (!path || !one) return [0, 0]
      const { status } = await w.as(who).patch(path, { hidden: op.hidden })
      if (!seen(one)) return [404, status]
      if (who === 'ada') one.hidden = op.hidden
      return [who === 'ada' ? 200 : 403, status]
    }
    case 'delete': {
      if (!path || !one) return [0, 0]
      const { status, body } = await w.as(who).delete(path)
      if (there && one.deleted && one.by === who) {
        expect(body.changeId, 'the same for a repeated call').toBe(one.changeId)
        return [200, status]
      }
      if (!seen(one)) return [404, status]
      if (one.by === who) Object.assign(one, { deleted: true, changeId: body.changeId })
      return [one.by === who ? 200 : 403, status]
    }
    case 'undelete': {
      if (!one?.deleted) return [0, 0]
      const { status } = await w.as(one.by).post(`/api/undo/${one.changeId}`)
      if (there) one.deleted = false
      return [there ? 200 : 404, status]
    }
    case 'react':
    case 'takeBack': {
      if (op.of !== null && !one) return [0, 0]
      const { status } = await t[op.do](who, one ? ({ id: one.id } as Comment) : topic, op.emoji)
      const readable = one ? seen(one) && (!one.hidden || one.by === who || who === 'ada') : there
      if (!readable) return [404, status]
      const reactions = one ? one.reactions : model.reactions
      if (op.do === 'react') reactions.add(`${who} ${op.emoji}`)
      else reactions.delete(`${who} ${op.emoji}`)
      return [200, status]
    }
    case 'remove': {
      const { status } = await w.as('bob').delete(`/api/post/${topic.id}`)
      model.there = false
      return [there ? 200 : 404, status]
    }
    case 'bringBack': {
      const { status } = await w.as('bob').post('/api/trash/restore', { postIds: [topic.id] })
      model.there = true
      return [200, status]
    }
  }
}

/** A device that knows everything up to a revision, and asks for the rest. */
class Device {
  readonly comments = new Map<string, Comment>()
  since: number | null = null

  async ask(t: ReturnType<typeof talkIn>, topic: Topic): Promise<Comment[]> {
    const { body } = await t.list('ada', topic, this.since === null ? '' : `&since=${this.since}`)
    for (const comment of body.comments as Comment[]) this.comments.set(comment.id, comment)
    for (const id of (body.deleted ?? []) as string[]) this.comments.delete(id)
    this.since = body.revision
    return [...this.comments.values()].toSorted((a, b) =>
      a.created_at === b.created_at ? (a.id < b.id ? -1 : 1) : a.created_at < b.created_at ? -1 : 1,
    )
  }
}

test('After any history everyone reads what the model says, a device that asks only for changes as well, and the item is as it was', async () => {
  const w = await world({ bob: 'write', rita: 'read' })
  const t = talkIn(w)
  const version = async ({ id }: Topic) => (await w.sql`select version, updated_at from posts where id = ${id}`)[0]
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 8, maxLength: 16, size: 'max' }), async (steps) => {
      const topic = await t.post('bob')
      const model = new Model()
      const device = new Device()
      let before = await version(topic)
      for (const { who, op } of steps) {
        const [expected, status] = await act(w, t, topic, model, who, op)
        expect(status, JSON.stringify({ who, op })).toBe(expected)
        if (op.do === 'remove' || op.do === 'bringBack') before = await version(topic)
        expect(await version(topic)).toEqual(before)
        if (!model.there) continue
        const comments = await t.heard('ada', topic)
        expect(plain(w, comments)).toEqual(model.visible())
        expect(await device.ask(t, topic)).toEqual(comments)
        const shown = model.said.filter(({ deleted, hidden }) => !deleted && !hidden).length
        const answers = await t.answers('rita', topic)
        expect(answers?.comments ?? 0).toBe(shown)
        expect(answers?.reactions.reduce((sum, { count }) => sum + count, 0) ?? 0).toBe(model.reactions.size)
      }
    }),
    { numRuns: 20 },
  )
}, 300_000)
