import { ROOM_LIMITS } from '../contract/limits.ts'

/** Limits the rate of messages per socket. Lost in hibernation, which means a full bucket. */
export class TokenBucket {
  readonly #buckets = new Map<string, { left: number; at: number }>()

  /** Counts one message. False above the allowed rate. */
  allows(socket: string, now: number): boolean {
    const max = ROOM_LIMITS.messagesPerSecond
    const bucket = this.#buckets.get(socket) ?? { left: max, at: now }
    const left = Math.min(max, bucket.left + ((now - bucket.at) / 1000) * max)
    this.#buckets.set(socket, { left: left - 1, at: now })
    return left >= 1
  }

  forget(socket: string): void {
    this.#buckets.delete(socket)
  }
}
