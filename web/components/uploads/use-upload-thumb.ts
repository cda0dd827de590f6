import { useSetAtom } from 'jotai'
import { useEffect, useState } from 'react'
import { uploadThumbAtom } from '../../atoms/uploads.ts'
import type { UploadItem } from '../../lib/uploads/types.ts'

/** Object URL of an upload's thumbnail once there is one; revoked on unmount. */
export function useUploadThumb({ id, meta, state }: UploadItem): string | null {
  const thumbOf = useSetAtom(uploadThumbAtom)
  const [url, setUrl] = useState<string | null>(null)
  const ready = meta !== null && state !== 'preparing'
  useEffect(() => {
    if (!ready) return
    let made: string | null = null
    let gone = false
    void thumbOf(id).then((blob) => {
      if (!blob || gone) return
      made = URL.createObjectURL(blob)
      setUrl(made)
    })
    return () => {
      gone = true
      if (made) URL.revokeObjectURL(made)
    }
  }, [id, ready, thumbOf])
  return url
}
