/** Work of one key is done one after the other; keys do not wait for each other. */
export interface KeyQueues {
  /** Answers what the work answers; the work must not throw. */
  enqueue<T>(key: string, work: () => Promise<T>): Promise<T>
  /** How much of one key is not done yet. */
  length(key: string): number
  idle(): Promise<void>
}

export const keyQueues = (): KeyQueues => {
  const queues = new Map<string, { tail: Promise<unknown>; length: number }>()
  return {
    enqueue(key, work) {
      const queue = queues.get(key) ?? { tail: Promise.resolve(), length: 0 }
      queues.set(key, queue)
      queue.length++
      const turn = queue.tail.then(work).finally(() => {
        queue.length--
        if (queue.length === 0) queues.delete(key)
      })
      queue.tail = turn
      return turn
    },
    length: (key) => queues.get(key)?.length ?? 0,
    async idle() {
      while (queues.size > 0) await Promise.all([...queues.values()].map(({ tail }) => tail))
    },
  }
}
