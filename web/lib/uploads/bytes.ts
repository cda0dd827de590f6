import type { Pictures, UploadStore } from './types.ts'

const NONE: Pictures = { thumb: null, preview: null }

export interface UploadBytes {
  hold(id: string, file: Blob): void
  /** The bytes are safe in the store: memory may let them go. */
  release(id: string): void
  file(id: string): Promise<Blob>
  holdPictures(id: string, pictures: Pictures): void
  pictures(id: string): Promise<Pictures>
  held(id: string): Pictures | undefined
  thumb(id: string): Blob | null
  /** Frees file and pictures everywhere; the small picture of the tray stays. */
  forget(id: string): void
  forgetThumb(id: string): void
}

/** Files and their pictures on the way: in memory first, in the store as soon as it has them. */
export function createUploadBytes(store: UploadStore): UploadBytes {
  const files = new Map<string, Blob>()
  const pictures = new Map<string, Pictures>()
  const thumbs = new Map<string, Blob>()
  return {
    hold: (id, file) => files.set(id, file),
    release: (id) => files.delete(id),
    async file(id) {
      const file = files.get(id) ?? (await store.file(id))
      if (!file) throw new DOMException('The file is not on this device any more. Add it again.', 'NotFoundError')
      return file
    },
    holdPictures(id, made) {
      pictures.set(id, made)
      if (made.thumb) thumbs.set(id, made.thumb)
    },
    async pictures(id) {
      const found = pictures.get(id) ?? (await store.pictures(id)) ?? NONE
      if (found.thumb) thumbs.set(id, found.thumb)
      return found
    },
    held: (id) => pictures.get(id),
    thumb: (id) => thumbs.get(id) ?? null,
    forget(id) {
      files.delete(id)
      pictures.delete(id)
      void store.remove([id]).catch(() => {})
    },
    forgetThumb: (id) => thumbs.delete(id),
  }
}
