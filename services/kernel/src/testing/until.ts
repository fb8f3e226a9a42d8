import { setTimeout as delay } from 'node:timers/promises'

/** Longer waits poll less often. */
const pauseAfter = (waited: number) => Math.min(Math.max(10, waited / 5), 100)

/** Fails with the question's source after 30 s by default. */
export const until = async <T>(
  question: () => T | Promise<T>,
  timeoutMs = 30_000,
): Promise<Exclude<T, undefined | null | false>> => {
  const began = performance.now()
  for (;;) {
    const answer = await question()
    if (answer) return answer as Exclude<T, undefined | null | false>
    const waited = performance.now() - began
    if (waited > timeoutMs) throw new Error(`not within ${timeoutMs} ms: ${question}`)
    await delay(pauseAfter(waited))
  }
}
