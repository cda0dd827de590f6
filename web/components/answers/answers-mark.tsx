import type { Answers } from '../../../contract/reactions.ts'
import { reactionCount } from '../../lib/answers/words.ts'
import { Icon } from '../../ui/icon.tsx'

const MARK = 'flex items-center gap-1 rounded-sm bg-black/60 px-1.5 py-0.5 text-xs leading-4 font-medium tabular-nums text-white'

/** Over the preview of an item: how much was said about it. The name of the tile says it too. */
export function AnswersMark({ answers }: { answers: Answers | null | undefined }) {
  if (!answers) return null
  const reactions = reactionCount(answers.reactions)
  return (
    <>
      {reactions > 0 && (
        // Generated content, because the visible text of a labelled element has to be part of its label as it stands.
        <span
          data-emoji={answers.reactions[0]?.emoji}
          data-count={reactions}
          className={`${MARK} before:content-[attr(data-emoji)] after:content-[attr(data-count)]`}
        />
      )}
      {answers.comments > 0 && (
        <span data-count={answers.comments} className={`${MARK} after:content-[attr(data-count)]`}>
          <Icon name="chat-bubble" size={14} />
        </span>
      )}
    </>
  )
}
