/** The name of the error as it crosses from a worker, which minifying does not change. */
export const NOT_LOADED = 'NotLoaded'

/**
 * A decoder, or a part of a file on the server, could not be fetched: there is no connection, or it is no longer there, as after a newer version of Cairn.
 */
export class NotLoaded extends Error {
  override name = NOT_LOADED
}

/** The loaded module or file. Throws NotLoaded. */
export async function orNotLoaded<T>(loading: Promise<T>): Promise<T> {
  try {
    return await loading
  } catch {
    throw new NotLoaded()
  }
}
