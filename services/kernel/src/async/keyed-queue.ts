/** Work of one key runs serially, in order of arrival; keys do not wait for each other. */
export interface KeyedQueue {
  /** A failure does not stop the next work. */
  run<T>(key: string, work: () => Promise<T>): Promise<T>
  length(key: string): number
  /** Also waits for work added meanwhile. */
  idle(): Promise<void>
}

export const keyedQueue = (): KeyedQueue => {
  const queues = new Map<string, { tail: Promise<unknown>; length: number }>()
  return {
    run(key, work) {
      const queue = queues.get(key) ?? { tail: Promise.resolve(), length: 0 }
      queues.set(key, queue)
      const begin = () => work()
      const outcome = queue.tail.then(begin, begin)
      queue.tail = outcome
      queue.length++
      const leave = () => {
        queue.length--
        if (queue.length === 0) queues.delete(key)
      }
      outcome.then(leave, leave)
      return outcome
    },
    length: (key) => queues.get(key)?.length ?? 0,
    async idle() {
      while (queues.size > 0) await Promise.allSettled([...queues.values()].map(({ tail }) => tail))
    },
  }
}

export type SerialQueue = <T>(work: () => Promise<T>) => Promise<T>

export const serialQueue = (): SerialQueue => {
  const queue = keyedQueue()
  return (work) => queue.run('', work)
}
