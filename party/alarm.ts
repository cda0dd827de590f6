type Clock = Pick<DurableObjectStorage, 'getAlarm' | 'setAlarm'>

/**
 * A Durable Object has only one alarm: this sets it to the earliest requested time. Requests run one after the other, because two concurrent
 * ones could both find no alarm, and the later time could be set last. Times are rounded up: the platform drops fractions of milliseconds, so
 * the alarm would come before the time, and an alarm that is then set again for the same millisecond may never come.
 */
export class Alarm {
  readonly #clock: Clock
  #last: Promise<void> = Promise.resolve()

  constructor(clock: Clock) {
    this.#clock = clock
  }

  wakeAt(time: number): Promise<void> {
    this.#last = this.#last.catch(() => {}).then(() => this.#bringForward(Math.ceil(time)))
    return this.#last
  }

  async #bringForward(time: number): Promise<void> {
    const set = await this.#clock.getAlarm()
    if (set === null || set > time) await this.#clock.setAlarm(time)
  }
}
