const encoder = new TextEncoder()

/** Cuts a text to at most this many bytes of UTF-8, never inside a character. */
export function atMostBytes(text: string, bytes: number): string {
  return text.slice(0, encoder.encodeInto(text, new Uint8Array(bytes)).read)
}
