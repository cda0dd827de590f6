import type { Item } from '../lib/bulk/plan.ts'
import { isPost } from '../lib/content/is-post.ts'
import { kindOf, type MediaKind } from '../lib/media.ts'
import type { IconName } from '../ui/icon.tsx'

export const postIcon = (type: string): IconName => (type === 'event' ? 'event' : 'sticky-note-2')

export const KIND_ICONS: Record<MediaKind, IconName> = { photo: 'image', video: 'movie', audio: 'audio-file', file: 'draft' }

export const itemIcon = (item: Item): IconName => (isPost(item) ? postIcon(item.type) : KIND_ICONS[kindOf(item.type)])
