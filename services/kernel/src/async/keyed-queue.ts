/** Does the work of one key one after the other, in the order in which it came; different keys do not wait for each other. */
export interface KeyedQueue {
  /** Settles as the work does. Work that fails does not keep the next from running. */
  run<T>(key: string, work: () => Promise<T>): Promise<T>
  /** How much work of one key is not done yet. */
  length(key: string): number
  /** Resolves once no work is left, also none that came meanwhile. */
  idle(): Promise<void>
}

export const keyedQueue = (): KeyedQueue => {
  const queues = new Map<string, { tail: Promise<unknown>; length: number }>()
  return {
    run(key, work) {
      const queue = queues.get(key) ?? { tail: Promise.resolve(), length: 0 }
      queues.set(key, queue)
      const begin = () => work()
      const turn = queue.tail.then(begin, begin)
      queue.tail = turn
      queue.length++
      const leave = () => {
        queue.length--
        if (queue.length === 0) queues.delete(key)
      }
      turn.then(leave, leave)
      return turn
    },
    length: (key) => queues.get(key)?.length ?? 0,
    async idle() {
      while (queues.size > 0) await Promise.allSettled([...queues.values()].map(({ tail }) => tail))
    },
  }
}

export type SerialQueue = <T>(work: () => Promise<T>) => Promise<T>

/** Does pieces of work one after the other, in the order in which they came; each settles as its work does. */
export const serialQueue = (): SerialQueue => {
  const queue = keyedQueue()
  return (work) => queue.run('', work)
}
