import { fork } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { builtProgram } from '@prosa/kernel/testing/built-program'
import { until } from '@prosa/kernel/testing/until'

export interface BareBaileys {
  pid: number
  link(number: string, scan: (qr: string) => Promise<unknown>): Promise<void>
  received(): Promise<number>
  stop(): void
}

/** A process with Baileys alone and keys in memory, bundled and started like the product. */
export const startBareBaileys = async (url: string, nodeArguments: string[]): Promise<BareBaileys> => {
  const program = join(import.meta.dirname, '../../services/sandbox/src/testing/bare-numbers.ts')
  const child = fork(await builtProgram(program), [url], { execArgv: nodeArguments })
  await once(child, 'message')
  return {
    pid: child.pid ?? 0,
    async link(number, scan) {
      let isOpen = false
      let scanned: Promise<unknown> | undefined
      const listen = ({ name, qr, open }: { name?: string; qr?: string; open?: boolean }) => {
        if (name !== number) return
        if (qr) scanned ??= scan(qr)
        if (open) isOpen = true
      }
      child.on('message', listen)
      child.send({ link: number })
      await until(() => isOpen)
      await scanned
      child.off('message', listen)
    },
    async received() {
      child.send({ count: true })
      const [{ received }] = await once(child, 'message')
      return received
    },
    stop: () => child.disconnect(),
  }
}
