import { t } from '#say'
import type { Renditions, UploadStore } from './types.ts'

/** The bytes of a file that waited are gone. The message is a sentence for its row. */
export class FileGone extends Error {
  constructor() {
    super(t`The file is not on this device any more. Add it again.`)
  }
}

/** Whether its bytes can still be read: a file that is not stored may have been deleted or changed on its disk. */
export const isReadable = (bytes: Blob): Promise<boolean> =>
  bytes
    .slice(0, 1)
    .arrayBuffer()
    .then(
      () => true,
      () => false,
    )

const NONE: Renditions = { thumb: null, preview: null }

/** Files and renditions being uploaded: in memory first, later in the store. */
export function createUploadBytes(store: UploadStore) {
  const files = new Map<string, Blob>()
  const renditions = new Map<string, Renditions>()
  const thumbs = new Map<string, Blob>()
  return {
    hold: (id: string, file: Blob) => void files.set(id, file),
    /** Call when the file is in the store: memory no longer needs what is there. */
    async release(id: string): Promise<void> {
      files.delete(id)
      const stored = await store.renditions(id).catch(() => NONE)
      if (stored.thumb || stored.preview) renditions.delete(id)
    },
    async file(id: string): Promise<Blob> {
      const file = files.get(id) ?? (await store.file(id))
      if (!file) throw new FileGone()
      return file
    },
    setRenditions(id: string, made: Renditions) {
      renditions.set(id, made)
      if (made.thumb) thumbs.set(id, made.thumb)
    },
    async renditions(id: string): Promise<Renditions> {
      const found = renditions.get(id) ?? (await store.renditions(id)) ?? NONE
      if (found.thumb) thumbs.set(id, found.thumb)
      return found
    },
    inMemory: (id: string) => renditions.get(id),
    thumb: (id: string) => thumbs.get(id) ?? null,
    /** Frees file and renditions everywhere. The thumbnail stays for the row in the tray, unless that is `removed`. */
    forget(id: string, removed = false) {
      files.delete(id)
      renditions.delete(id)
      if (removed) thumbs.delete(id)
      void store.remove([id]).catch(() => {})
    },
  }
}
