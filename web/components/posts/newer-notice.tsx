import type { Field } from '../../lib/outbox/merge.ts'
import { Button } from '../../ui/button.tsx'
import { Notice } from '../../ui/states.tsx'
import { comparable, labelOf } from '../outbox/unsaved-words.ts'

interface NewerNoticeProps {
  /** What they changed. */
  theirs: readonly Field[]
  /** What of it was changed here as well. */
  both: readonly Field[]
  onTakeIn: () => void
}

/** Somebody else saved the post that is being edited. Nothing is touched until its reader wants it. */
export function NewerNotice({ theirs, both, onTakeIn }: NewerNoticeProps) {
  const free = theirs.filter((field) => !both.includes(field))
  return (
    <Notice
      action={
        <Button size="sm" onClick={onTakeIn}>
          {free.length > 0 ? 'Take in theirs' : 'Keep writing'}
        </Button>
      }
    >
      Somebody else changed {wordsOf(theirs)} meanwhile.
      {both.length > 0 && ` You changed ${wordsOf(both)} too: yours stays here, and when you save you can compare both.`}
    </Notice>
  )
}

function wordsOf(fields: readonly Field[]): string {
  const words = comparable([...fields]).map((field) => `the ${labelOf(field).toLowerCase()}`)
  return new Intl.ListFormat('en').format(words)
}
