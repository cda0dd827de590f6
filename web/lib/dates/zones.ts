import { reader } from './reader.ts'

/** The time zone of the reader: their own choice, or that of this browser. */
export function localZone(): string {
  return reader().timeZone
}
