import {
  BlobReader,
  ERR_BAD_FORMAT,
  ERR_EOCDR_NOT_FOUND,
  ERR_SPLIT_ZIP_FILE,
  type FileEntry,
  ZipReader,
} from '@zip.js/zip.js/lib/zip-core-custom.js'
import { t } from '#say'
import { yieldToMain } from '../scheduling.ts'
import { UnreadableError } from './types.ts'

/** A file as listed in the directory at the end of a ZIP. Sizes in bytes. */
export interface DirectoryEntry {
  name: string
  method: number
  encrypted: boolean
  link: boolean
  packed: number
  size: number
  /** Offset of its header. */
  start: number
  modified: number | null
  crc: number | undefined
}

/** Bytes of a directory; enough for a million files with long names. */
const MAX_DIRECTORY = 512 * 1024 * 1024
/** Bytes; longer names are not guessed. */
const MAX_NAME = 1_000
/** Entries read in one go: about 30 ms. */
const PORTION = 1_000

/** Files without folders. Throws UnreadableError. */
export async function readDirectory(zip: Blob): Promise<DirectoryEntry[]> {
  // Unsafe names are refused one by one, not with the whole archive.
  const reader = new ZipReader(new DirectoryReader(zip), { filenameValidation: 'tolerant' })
  try {
    const entries: DirectoryEntry[] = []
    for await (const entry of reader.getEntriesGenerator()) {
      // The library's own entry takes 4 KB, so it is not kept.
      if (!entry.directory) entries.push(fieldsOf(entry))
      if (entries.length % PORTION === 0) await yieldToMain()
    }
    return entries
  } catch (error) {
    if (error instanceof DOMException || error instanceof UnreadableError) throw error
    throw new UnreadableError(reasonOf(error instanceof Error ? error.message : ''))
  }
}

class DirectoryReader extends BlobReader {
  override async readUint8Array(index: number, length: number): Promise<Uint8Array> {
    if (length > MAX_DIRECTORY) throw new UnreadableError(t`This ZIP holds more files than can be imported`)
    return super.readUint8Array(index, length)
  }
}

function fieldsOf(entry: FileEntry): DirectoryEntry {
  return {
    name: nameOf(entry),
    method: entry.compressionMethod,
    encrypted: entry.encrypted,
    link: entry.symlink,
    packed: entry.compressedSize,
    size: entry.uncompressedSize,
    start: entry.offset,
    crc: entry.signature,
    // A missing date is written as zero; an invalid one gives NaN.
    modified: Number(entry.rawLastModDate) >>> 16 === 0 ? null : entry.lastModDate.getTime() || null,
  }
}

/** Words of three letters or more without any of ASCII, in bytes that are letters in CP866. In CP437 some of them are signs. */
const CYRILLIC = /^(?:[\x00-\x7f]|(?<![A-Za-z\x80-\xff])[\x80-\xaf\xe0-\xf1]{3,}(?![A-Za-z\x80-\xff]))*$/

/** Windows writes names in the code page of its language, and does not say which. Names that are Russian words in CP866 are read as such. */
function nameOf({ filename, filenameUTF8, extraFieldUnicodePath, rawFilename }: FileEntry): string {
  if (filenameUTF8 || extraFieldUnicodePath?.valid || !/[^\x00-\x7f]/.test(filename)) return filename
  const bytes = String.fromCharCode(...rawFilename.subarray(0, MAX_NAME))
  return rawFilename.length <= MAX_NAME && CYRILLIC.test(bytes) ? new TextDecoder('ibm866').decode(rawFilename) : filename
}

function reasonOf(error: string): string {
  switch (error) {
    case ERR_EOCDR_NOT_FOUND:
      return t`This is not a ZIP, or its end is missing. Download it again`
    case ERR_BAD_FORMAT:
      return t`This ZIP is cut off. Download it again`
    case ERR_SPLIT_ZIP_FILE:
      return t`This is one part of a split ZIP. Join its parts into one file first`
    default:
      return t`The directory of this ZIP is damaged. Download it again`
  }
}
