/** The name of the error as it crosses from a worker, which minifying does not change. */
export const NOT_LOADED = 'NotLoaded'

/** A file could not be fetched from the server: there is no connection, or it is no longer there. */
export class NotLoaded extends Error {
  override name = NOT_LOADED
}
