/** The name of the error as it crosses from a worker, which minifying does not change. */
export const DECODER_MISSING = 'DecoderMissing'

/** What reads a format could not be loaded: there is no connection, or a newer version of Cairn has replaced the files of this one. */
export class DecoderMissing extends Error {
  override name = DECODER_MISSING
}

/** The loaded module or file. Throws DecoderMissing. */
export async function orMissing<T>(loading: Promise<T>): Promise<T> {
  try {
    return await loading
  } catch {
    throw new DecoderMissing()
  }
}
