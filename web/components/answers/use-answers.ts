import { useAtomValue, useSetAtom } from 'jotai'
import { useMemo } from 'react'
import { t } from '#say'
import { mayAnswer } from '../../../contract/policy.ts'
import type { Answers } from '../../../contract/reactions.ts'
import { reactAtom } from '../../atoms/answers.ts'
import { collectionsAtom } from '../../atoms/collections.ts'
import { operationsAtom } from '../../atoms/pending.ts'
import { personNameAtom } from '../../atoms/profile.ts'
import { sessionUserIdAtom } from '../../atoms/session.ts'
import { countWith, reactionsWith, type Subject } from '../../lib/answers/pending.ts'
import { useAct } from '../overlays/use-act.ts'

/** The user, as author of comments and reactions. */
export function useMe(): { id: string; name: string } {
  const id = useAtomValue(sessionUserIdAtom) ?? ''
  const name = useAtomValue(personNameAtom)
  return useMemo(() => ({ id, name }), [id, name])
}

/** Why the user cannot comment and react in a collection; undefined if they can. */
export function useWhyNotAnswer(collectionId: string): string | undefined {
  const collection = useAtomValue(collectionsAtom)?.find(({ id }) => id === collectionId)
  if (!collection || mayAnswer(collection.role, collection.answers)) return undefined
  if (collection.answers === null) return t`Comments are turned off here.`
  return collection.answers === 'write' ? t`Only people who can add photos and posts may comment here.` : t`Only admins may comment here.`
}

/** What people said about an item, with what is still to be sent. `title` names the item in messages. */
export function useAnswers(subject: Subject, answers: Answers | null | undefined, title: string) {
  const operations = useAtomValue(operationsAtom)
  const me = useMe()
  const react = useSetAtom(reactAtom)
  const act = useAct()
  return {
    reactions: reactionsWith(answers?.reactions ?? [], operations, subject, me),
    count: countWith(answers?.comments ?? 0, operations, subject),
    whyNot: useWhyNotAnswer(subject.collectionId),
    react: (emoji: string, on: boolean) => void act(() => react(subject, null, { emoji, on, title })),
  }
}
