import { t } from '#say'
import type { Answers } from '../../../contract/reactions.ts'
import type { Subject } from '../../lib/answers/pending.ts'
import { commentsText } from '../../lib/answers/words.ts'
import { Button } from '../../ui/button.tsx'
import { cx } from '../../ui/cx.ts'
import { ReactionList } from './reaction-list.tsx'
import { useAnswers } from './use-answers.ts'

interface ItemAnswersProps {
  subject: Subject
  answers: Answers | null | undefined
  /** Names the item in messages. */
  title: string
  /** Opens the comments. */
  open: () => void
  /** Whether they are open below; missing where they open elsewhere. */
  expanded?: boolean
}

/** What people said about an item in one line: reactions, and how many comments there are to read. */
export function ItemAnswers({ subject, answers, title, open, expanded }: ItemAnswersProps) {
  const { reactions, count, whyNot, react } = useAnswers(subject, answers, title)
  const text = count > 0 ? commentsText(count) : t({ message: 'Comment', context: 'verb' })
  const name = `${text}: ${title}`
  return (
    <div className={cx('flex min-h-8 flex-wrap items-center gap-1.5 pointer-coarse:min-h-11', reactions.length === 0 && '-ms-2')}>
      <ReactionList reactions={reactions} whyNot={whyNot} onToggle={react} />
      {(count > 0 || !whyNot) && (
        <Button variant="ghost" size="sm" icon="chat-bubble" aria-label={name} aria-expanded={expanded} onClick={open}>
          {text}
        </Button>
      )}
    </div>
  )
}
