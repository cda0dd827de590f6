import type { MediaKind } from '../lib/media.ts'
import type { IconName } from '../ui/icon.tsx'

export const postIcon = (type: string): IconName => (type === 'event' ? 'event' : 'sticky-note-2')

export const KIND_ICONS: Record<MediaKind, IconName> = { photo: 'image', video: 'movie', audio: 'audio-file', file: 'draft' }
