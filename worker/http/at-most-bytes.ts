const encoder = new TextEncoder()

/** As many characters from the beginning of a text as fit into so many bytes of UTF-8. */
export function atMostBytes(text: string, bytes: number): string {
  return text.slice(0, encoder.encodeInto(text, new Uint8Array(bytes)).read)
}
