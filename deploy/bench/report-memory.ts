import { setTimeout as delay } from 'node:timers/promises'

/** What a process that imports this first reports about itself, in bytes. */
export interface MemoryReport {
  rss: number
  /** What the program itself holds: JavaScript and buffers. */
  held: number
}

/** Garbage that has just been made takes more than one look to find. */
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
