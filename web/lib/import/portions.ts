import type { ImportedComment, ImportedReaction } from '../../../contract/imported-answers.ts'
import { LIMITS } from '../../../contract/limits.ts'
import { importedId } from './imported-id.ts'
import type { PlannedAnswers } from './types.ts'

/** Bytes of the texts in one call, well below LIMITS.jsonBody with what surrounds them. */
const MAX_BYTES = 512 * 1024

/**
 * What people said, in as many calls as it takes, with ids that are the same whenever it is imported to the same item. `scope` identifies the user, the
 * collection and the item.
 */
export async function portionsOf({ comments, reactions }: PlannedAnswers, scope: readonly string[]): Promise<PlannedAnswers[]> {
  const ids = new Map<string, string>()
  for (const { id, createdAt } of comments) ids.set(id, await importedId([...scope, 'comment', id], createdAt))
  const named = comments.map(({ id, replyTo, ...comment }): ImportedComment => {
    const answered = replyTo && ids.get(replyTo)
    return { id: ids.get(id) ?? id, ...comment, ...(answered && { replyTo: answered }) }
  })
  const left = reactions.map(({ commentId, ...reaction }): ImportedReaction => {
    const comment = commentId && ids.get(commentId)
    return { ...reaction, ...(comment && { commentId: comment }) }
  })
  return [
    ...split(named).map((part) => ({ comments: part, reactions: [] })),
    ...split(left).map((part) => ({ comments: [], reactions: part })),
  ]
}

function split<T extends object>(rows: readonly T[]): T[][] {
  const parts: T[][] = []
  let bytes = 0
  for (const row of rows) {
    const size = new TextEncoder().encode(JSON.stringify(row)).length
    const last = parts.at(-1)
    if (!last || last.length >= LIMITS.importedAnswers || bytes + size > MAX_BYTES) {
      parts.push([row])
      bytes = size
    } else {
      last.push(row)
      bytes += size
    }
  }
  return parts
}
