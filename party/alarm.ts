/** What an alarm needs of a Durable Object's storage. */
type Clock = Pick<DurableObjectStorage, 'getAlarm' | 'setAlarm'>

/**
 * A Durable Object has one alarm: it stands at the earliest time asked for. One look and set after the other, since of two at the
 * same moment both would see none and the later time could stand last.
 */
export class Alarm {
  readonly #clock: Clock
  #last: Promise<void> = Promise.resolve()

  constructor(clock: Clock) {
    this.#clock = clock
  }

  wakeAt(time: number): Promise<void> {
    this.#last = this.#last.catch(() => {}).then(() => this.#bringForward(time))
    return this.#last
  }

  async #bringForward(time: number): Promise<void> {
    const set = await this.#clock.getAlarm()
    if (set === null || set > time) await this.#clock.setAlarm(time)
  }
}
