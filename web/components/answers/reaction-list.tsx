import type { ReactNode } from 'react'
import { t } from '#say'
import type { Reaction } from '../../../contract/reactions.ts'
import { ReactionChip } from './reaction-chip.tsx'
import { ReactionPicker } from './reaction-picker.tsx'
import { useMe } from './use-answers.ts'

interface ReactionListProps {
  reactions: readonly Reaction[]
  whyNot: string | undefined
  onToggle: (emoji: string, on: boolean) => void
  size?: 'xs' | 'sm'
  children?: ReactNode
}

/** Reactions to an item or a comment, and a button that adds one. */
export function ReactionList({ reactions, whyNot, onToggle, size, children }: ReactionListProps) {
  const me = useMe()
  return (
    <>
      {reactions.length > 0 && (
        <ul aria-label={t`Reactions`} className="contents">
          {reactions.map((reaction) => (
            <li key={reaction.emoji}>
              <ReactionChip reaction={reaction} me={me.id} whyNot={whyNot} onToggle={() => onToggle(reaction.emoji, !reaction.mine)} />
            </li>
          ))}
        </ul>
      )}
      {!whyNot && (
        <ReactionPicker
          mine={reactions.flatMap(({ mine, emoji }) => (mine ? emoji : []))}
          onToggle={onToggle}
          {...(size ? { size } : {})}
        />
      )}
      {children}
    </>
  )
}
