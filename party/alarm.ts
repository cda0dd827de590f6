type Clock = Pick<DurableObjectStorage, 'getAlarm' | 'setAlarm'>

/**
 * A Durable Object has only one alarm: this sets it to the earliest requested time. Requests run one after the other, because two concurrent
 * ones could both find no alarm, and the later time could be set last.
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
