import { setTimeout as delay } from 'node:timers/promises'

/** In bytes, for a process that imports this first. */
export interface MemoryReport {
  rss: number
  held: number
}

/** New garbage needs more than one collection. */
const collections = 4

const collect = async () => {
  const { gc } = globalThis
  if (!gc) throw new Error('start node with --expose-gc')
  for (let round = 0; round < collections; round++) {
    gc()
    await delay(250)
  }
}

process.on('message', (message) => {
  if (message !== 'memory') return
  void collect().then(() => {
    const { rss, heapUsed, external } = process.memoryUsage()
    process.send?.({ memory: { rss, held: heapUsed + external } satisfies MemoryReport })
  })
})
