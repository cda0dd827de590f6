import { type PhotoMetadata, readPhotoTags } from '../../../contract/photos/photo-tags.ts'

/** Bytes. Tags come first in nearly all files; of a TIFF, and so of most raw files, they may be at the end. */
const READ = 64 * 1024 * 1024
const READ_OF_TIFF = 192 * 1024 * 1024

/** The tags of a photo on this device. Throws only for bytes that cannot be read. */
export async function readFileTags(file: Blob): Promise<PhotoMetadata> {
  const isTiff = /^(?:II\*\0|MM\0\*)/.test(await file.slice(0, 4).text())
  return readPhotoTags(await file.slice(0, isTiff ? READ_OF_TIFF : READ).arrayBuffer())
}
