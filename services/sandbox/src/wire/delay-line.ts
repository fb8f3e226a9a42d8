export class DelayLine {
  readonly #delayMs: () => number
  readonly #waiting: { at: number; effect: () => void }[] = []
  #timer?: NodeJS.Timeout

  /** @param delayMs called for every effect; 0: immediate when none waits */
  constructor(delayMs: () => number) {
    this.#delayMs = delayMs
  }

  pass(effect: () => void) {
    const delayMs = this.#delayMs()
    if (delayMs <= 0 && this.#waiting.length === 0) return effect()
    this.#waiting.push({ at: Date.now() + delayMs, effect })
    this.#schedule()
  }

  #schedule() {
    const [next] = this.#waiting
    if (!next || this.#timer) return
    this.#timer = setTimeout(
      () => {
        this.#timer = undefined
        this.#release()
      },
      Math.max(0, next.at - Date.now()),
    )
  }

  #release() {
    while (this.#waiting[0] && this.#waiting[0].at <= Date.now()) this.#waiting.shift()?.effect()
    this.#schedule()
  }
}
