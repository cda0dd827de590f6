import { type Said, say } from '#language'
import { msg } from '#say'

const LABELS = new Map<string, Said>([
  ['event', msg({ message: 'Event', context: 'noun' })],
  ['note', msg({ message: 'Note', context: 'noun' })],
  ['trip', msg({ message: 'Trip', context: 'noun' })],
  ['meeting', msg`Meeting`],
  ['birthday', msg`Birthday`],
  ['celebration', msg`Celebration`],
  ['concert', msg`Concert`],
  ['sport', msg`Sport`],
  ['journal', msg({ message: 'Journal', context: 'noun', comment: 'A kind of note' })],
  ['idea', msg`Idea`],
  ['recipe', msg`Recipe`],
  ['quote', msg({ message: 'Quote', context: 'noun', comment: 'A kind of note: what somebody said' })],
  ['place', msg({ message: 'Place', context: 'kind of note' })],
  ['other', msg({ message: 'Other', context: 'kind of post' })],
])

/** The type or kind of a post: `Trip`. */
export function kindLabel(kind: string): string {
  const label = LABELS.get(kind)
  return label ? say(label) : kind
}
