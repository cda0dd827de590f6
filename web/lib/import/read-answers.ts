import { t } from '#say'
import { ArchivedComment, ArchivedReaction } from '../../../contract/archive.ts'
import { CommentWords } from '../../../contract/comments.ts'
import { isEmoji } from '../../../contract/emoji.ts'
import type { ImportedComment, ImportedReaction } from '../../../contract/imported-answers.ts'
import { LIMITS } from '../../../contract/limits.ts'
import { fitLine, fitMoment, fitText } from '../../../contract/photos/fit.ts'
import { z } from '../../../contract/zod.ts'
import type { PlannedAnswers, Refused } from './types.ts'

interface Read {
  answers: PlannedAnswers | undefined
  refused: Refused[]
  /** Comments whose answered comment is missing or answers them itself, so that they stand on their own. */
  alone: number
}

const Rows = z.array(z.unknown())
const Row = ArchivedComment.extend({ reactions: z.unknown().optional() })

/** Reads the comments and reactions of an item in an export, each on its own: one that is damaged takes no other with it. `about` names the item. */
export function readAnswers(row: { comments?: unknown; reactions?: unknown }, about: string): Read {
  const refused: Refused[] = []
  const refuse = (what: string, reason: string) => void refused.push({ name: t`${what} on “${about}”`, reason })
  const comments = new Map<string, ImportedComment>()
  const reactions: ImportedReaction[] = []
  for (const one of rowsOf(row.comments, () => refuse(t`Comments`, t`They are damaged`))) {
    const found = Row.safeParse(one).data
    const read = found && commentOf(found)
    const what = found ? t`Comment by ${authorOf(found.author)}` : t`A comment`
    if (!read) refuse(what, t`It is damaged`)
    else if (typeof read === 'string') refuse(what, read)
    else if (comments.has(read.id)) refuse(what, t`Another comment has the same id`)
    else {
      comments.set(read.id, read)
      reactions.push(...readReactions(found?.reactions, read.id, refuse))
    }
  }
  const { ordered, alone } = answeredFirst(comments)
  reactions.push(...readReactions(row.reactions, undefined, refuse))
  return { answers: ordered.length + reactions.length > 0 ? { comments: ordered, reactions } : undefined, refused, alone }
}

function rowsOf(rows: unknown, onDamaged: () => void): unknown[] {
  if (rows === undefined || rows === null) return []
  const found = Rows.safeParse(rows).data
  if (!found) onDamaged()
  return found ?? []
}

const authorOf = (name: string) => fitLine(name, LIMITS.personName) || t({ message: 'Unknown', context: 'person' })

/** The comment, or why it cannot be imported. */
function commentOf({ id, author, text, mentions, reply_to, created_at, edited_at }: z.infer<typeof Row>): ImportedComment | string {
  const words = CommentWords.safeParse(fitText(text))
  const [createdAt, editedAt] = [fitMoment(created_at), fitMoment(edited_at)]
  if (fitText(text).trim() === '') return t`It has no text`
  if (!words.success) return words.error.issues[0]?.message ?? t`Its text cannot be imported`
  if (createdAt === null) return t`It does not say when it was written`
  return {
    ...{ id, originalAuthor: authorOf(author), text: words.data, createdAt },
    ...(mentions && { mentions: mentions.slice(0, LIMITS.mentionsPerComment) }),
    ...(reply_to !== null && { replyTo: reply_to }),
    ...(editedAt !== null && { editedAt }),
  }
}

/** Reactions to the item, or to one of its comments. People are told apart by their names alone. */
function readReactions(rows: unknown, commentId: string | undefined, refuse: (what: string, reason: string) => void): ImportedReaction[] {
  const found = new Map<string, ImportedReaction>()
  for (const row of rowsOf(rows, () => refuse(t`Reactions`, t`They are damaged`))) {
    const kind = ArchivedReaction.safeParse(row).data
    if (!kind || isEmoji(kind.emoji) === false) {
      refuse(t`A reaction`, kind ? t`It is not an emoji` : t`It is damaged`)
      continue
    }
    for (const name of kind.who.map(authorOf)) {
      const key = `${kind.emoji} ${name}`
      if (found.has(key)) refuse(t`${kind.emoji} by ${name}`, t`Somebody of the same name has the same reaction`)
      else found.set(key, { originalAuthor: name, emoji: kind.emoji, ...(commentId !== undefined && { commentId }) })
    }
  }
  return [...found.values()]
}

/** Each comment after the one that it answers. */
function answeredFirst(comments: ReadonlyMap<string, ImportedComment>): { ordered: ImportedComment[]; alone: number } {
  const ordered = new Map<string, ImportedComment>()
  let alone = 0
  for (const comment of comments.values()) {
    const chain = new Map<string, ImportedComment>()
    for (let next: ImportedComment | undefined = comment; next && !ordered.has(next.id) && !chain.has(next.id); )
      next = comments.get(chain.set(next.id, next).get(next.id)?.replyTo ?? '')
    for (const { replyTo, ...one } of [...chain.values()].reverse()) {
      const isThere = replyTo !== undefined && ordered.has(replyTo)
      if (replyTo !== undefined && !isThere) alone++
      ordered.set(one.id, isThere ? { ...one, replyTo } : one)
    }
  }
  return { ordered: [...ordered.values()], alone }
}
