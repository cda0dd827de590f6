/** Slots for each row at least, so that a row is found after a look or two. */
const ROOM = 2
const SMALLEST = 8

/**
 * Rows by their ids. A Map would do, but browsers keep every text that is a key of one in a table of their own, and walk through all of it
 * each time they stop the page to collect garbage: 4 ms for 100,000 ids.
 */
export class RowIndex<T> {
  readonly #idOf: (row: T) => string
  /** A row lies in the slot that its id leads to, or in the next free one. */
  #slots: (T | undefined)[]
  #size = 0

  constructor(rows: readonly T[], idOf: (row: T) => string) {
    this.#idOf = idOf
    this.#slots = emptySlots(rows.length)
    for (const row of rows) this.set(row)
  }

  get size(): number {
    return this.#size
  }

  get(id: string): T | undefined {
    return this.#slots[this.#slotOf(id)]
  }

  has(id: string): boolean {
    return this.get(id) !== undefined
  }

  /** Takes the place of a row with the same id. */
  set(row: T): void {
    const slot = this.#slotOf(this.#idOf(row))
    if (this.#slots[slot] === undefined) this.#size++
    this.#slots[slot] = row
    if (this.#size * ROOM > this.#slots.length) this.#grow()
  }

  delete(id: string): void {
    const mask = this.#slots.length - 1
    let hole = this.#slotOf(id)
    if (this.#slots[hole] === undefined) return
    // What lies behind its own slot only because others were in the way moves up, or it could not be found any more.
    for (let slot = (hole + 1) & mask; ; slot = (slot + 1) & mask) {
      const row = this.#slots[slot]
      if (row === undefined) break
      const home = hashOf(this.#idOf(row)) & mask
      if (((slot - home) & mask) < ((slot - hole) & mask)) continue
      this.#slots[hole] = row
      hole = slot
    }
    this.#slots[hole] = undefined
    this.#size--
  }

  /** Where the row is, or would be. */
  #slotOf(id: string): number {
    const mask = this.#slots.length - 1
    let slot = hashOf(id) & mask
    for (let row = this.#slots[slot]; row !== undefined && this.#idOf(row) !== id; row = this.#slots[slot]) slot = (slot + 1) & mask
    return slot
  }

  #grow(): void {
    const rows = this.#slots
    this.#slots = emptySlots(this.#size)
    for (const row of rows) if (row !== undefined) this.#slots[this.#slotOf(this.#idOf(row))] = row
  }
}

/** Twice as many as are needed now, and a power of two. */
function emptySlots(rows: number): undefined[] {
  let length = SMALLEST
  while (length < rows * ROOM * 2) length *= 2
  return new Array<undefined>(length).fill(undefined)
}

/** Where ids, and the keys of rows, differ: looking at all of each would take three times as long. */
const TAIL = 12

/** FNV-1a of the end, 32 bits. */
function hashOf(id: string): number {
  let hash = 0x811c9dc5
  for (let i = Math.max(0, id.length - TAIL); i < id.length; i++) hash = Math.imul(hash ^ id.charCodeAt(i), 0x01000193)
  return hash >>> 0
}
