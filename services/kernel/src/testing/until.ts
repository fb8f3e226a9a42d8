import { setTimeout as delay } from 'node:timers/promises'

/** Milliseconds. A question often costs a request or a query, and many tests wait at the same time: who waits long asks less often. */
const pauseAfter = (waited: number) => Math.min(Math.max(10, waited / 5), 100)

/**
 * Resolves with the first truthy answer; fails with the question's source when there is none in time (30 s by default): long,
 * because a test waits for facts, and a busy machine may take its time; it fails no slower for that than it must.
 */
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
