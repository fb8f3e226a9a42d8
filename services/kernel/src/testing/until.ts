import { setTimeout as delay } from 'node:timers/promises'

/**
 * Resolves with the first truthy answer; fails with the question's source when there is none in time (30 s unless said): long,
 * because a test waits for facts, and a busy machine may take its time; it fails no slower for that than it must.
 */
export const until = async <T>(
  question: () => T | Promise<T>,
  timeoutMilliseconds = 30_000,
): Promise<Exclude<T, undefined | null | false>> => {
  const deadline = performance.now() + timeoutMilliseconds
  for (;;) {
    const answer = await question()
    if (answer) return answer as Exclude<T, undefined | null | false>
    if (performance.now() > deadline) throw new Error(`not within ${timeoutMilliseconds} ms: ${question}`)
    await delay(10)
  }
}
