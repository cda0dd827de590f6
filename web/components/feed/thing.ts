import { type Said, say } from '#language'
import { msg, t } from '#say'
import type { FeedThread } from '../../../contract/feed.ts'
import type { PostType } from '../../../contract/posts.ts'
import { kindOf, type MediaKind } from '../../lib/media.ts'

type Thing = PostType | MediaKind
type Thread = Pick<FeedThread, 'item' | 'type'>

const SOMEBODYS: Record<Thing, Said> = {
  event: msg({ message: 'an event', context: 'commented on' }),
  note: msg({ message: 'a note', context: 'commented on' }),
  photo: msg({ message: 'a photo', context: 'commented on' }),
  video: msg({ message: 'a video', context: 'commented on' }),
  audio: msg({ message: 'a recording', context: 'commented on' }),
  file: msg({ message: 'a file', context: 'commented on' }),
}

const OWN: Record<Thing, Said> = {
  event: msg({ message: 'your event', context: 'commented on' }),
  note: msg({ message: 'your note', context: 'commented on' }),
  photo: msg({ message: 'your photo', context: 'commented on' }),
  video: msg({ message: 'your video', context: 'commented on' }),
  audio: msg({ message: 'your recording', context: 'commented on' }),
  file: msg({ message: 'your file', context: 'commented on' }),
}

const FIRST: Record<Thing, Said> = {
  event: msg`on the first event`,
  note: msg`on the first note`,
  photo: msg`on the first photo`,
  video: msg`on the first video`,
  audio: msg`on the first recording`,
  file: msg`on the first file`,
}

function thingOf({ item, type }: Thread): Thing {
  if (item.kind === 'asset') return kindOf(type)
  return type === 'event' ? 'event' : 'note'
}

/** The item that somebody commented on: `a photo`, `your note`. */
export function thingText(thread: Thread | null | undefined, own: boolean): string {
  if (thread) return say((own ? OWN : SOMEBODYS)[thingOf(thread)])
  return own ? t({ message: 'your post', context: 'commented on' }) : t({ message: 'a post', context: 'commented on' })
}

/** The item that the comments below an entry of several are about: `on the first photo`. */
export const onTheFirst = (thread: Thread) => say(FIRST[thingOf(thread)])
