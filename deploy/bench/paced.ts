import { setTimeout as delay } from 'node:timers/promises'

/** Open loop: `rate` calls a second, whatever each takes. */
export const paced = async (rate: number, seconds: number, send: (count: number) => void): Promise<void> => {
  const start = performance.now()
  for (let count = 0; count < rate * seconds; count++) {
    const wait = start + (count * 1000) / rate - performance.now()
    if (wait > 1) await delay(wait)
    send(count)
  }
}

/** Milliseconds of a clock that all processes of the machine share. */
export const sharedNow = (): number => Number(process.hrtime.bigint()) / 1e6
