import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import type { Order, Sent } from './inbound-phones.ts'

export interface Phones {
  url: string
  send(order: Order): Promise<Sent[]>
  stop(): void
}

/** Simulated phones in a process of their own. */
export const startPhones = async (): Promise<Phones> => {
  // Fewer garbage collections: real phones do not pause at the same time.
  const flags = ['--heap-growing-percent=400', '--import', 'tsx']
  const child: ChildProcess = fork(join(import.meta.dirname, 'inbound-phones.ts'), { execArgv: flags })
  const [{ url }] = await once(child, 'message')
  return {
    url,
    async send(order) {
      child.send(order)
      const [{ answer }] = await once(child, 'message')
      return answer ?? []
    },
    stop: () => child.disconnect(),
  }
}
