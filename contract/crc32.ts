const POLYNOMIAL = 0xedb88320
const SLICES = 8

/** Eight tables, to process eight bytes per step (slicing-by-8). */
const TABLES = [Int32Array.from({ length: 256 }, (_, byte) => shifted(byte))]
for (let slice = 1; slice < SLICES; slice++) {
  const [first, before] = [TABLES[0] as Int32Array, TABLES[slice - 1] as Int32Array]
  TABLES.push(before.map((value) => (value >>> 8) ^ (first[value & 0xff] as number)))
}

function shifted(byte: number): number {
  let value = byte
  for (let bit = 0; bit < 8; bit++) value = value & 1 ? (value >>> 1) ^ POLYNOMIAL : value >>> 1
  return value
}

const [T0, T1, T2, T3, T4, T5, T6, T7] = TABLES as [
  Int32Array,
  Int32Array,
  Int32Array,
  Int32Array,
  Int32Array,
  Int32Array,
  Int32Array,
  Int32Array,
]

/** CRC-32 as in ZIP and PNG, unsigned. `before` is the CRC of the preceding bytes. */
export function crc32(bytes: Uint8Array, before = 0): number {
  let crc = ~before
  let at = 0
  const at8 = (table: Int32Array, index: number) => table[index & 0xff] as number
  for (const end = bytes.length - (SLICES - 1); at < end; at += SLICES) {
    const low =
      crc ^
      ((bytes[at] as number) | ((bytes[at + 1] as number) << 8) | ((bytes[at + 2] as number) << 16) | ((bytes[at + 3] as number) << 24))
    crc =
      at8(T7, low) ^
      at8(T6, low >>> 8) ^
      at8(T5, low >>> 16) ^
      at8(T4, low >>> 24) ^
      at8(T3, bytes[at + 4] as number) ^
      at8(T2, bytes[at + 5] as number) ^
      at8(T1, bytes[at + 6] as number) ^
      at8(T0, bytes[at + 7] as number)
  }
  for (; at < bytes.length; at++) crc = at8(T0, crc ^ (bytes[at] as number)) ^ (crc >>> 8)
  return ~crc >>> 0
}
