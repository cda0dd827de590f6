/** The decoder of a format could not be loaded: there is no connection, and this device has not used it before. */
export class DecoderMissing extends Error {
  override name = 'DecoderMissing'
}
