import { LIMITS } from './limits.ts'
import { line, optionalLine } from './text.ts'
import { ORIGINAL_AUTHOR } from './text-words.ts'

/**
 * The name of who made an item where it was imported from, shown beside who imported it. Only text: archives can be edited, so it names no account
 * and gives no rights. It cannot be changed later.
 */
export const OriginalAuthor = optionalLine(LIMITS.personName, ORIGINAL_AUTHOR).nullable().optional()

/** The same for what was said about an item, where it marks what is imported and cannot be left out. */
export const AnswerAuthor = line(LIMITS.personName, ORIGINAL_AUTHOR)
