import { fork } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import { builtProgram } from '../../../testing/built-program.ts'

const program = fileURLToPath(new URL('./double-process.ts', import.meta.url))

export const startDoubleProcess = async (): Promise<{ url: string; stop(): Promise<void> }> => {
  const child = fork(await builtProgram(program), { execArgv: [], stdio: ['ignore', 'inherit', 'inherit', 'ipc'] })
  const ended = once(child, 'exit')
  const [url] = await Promise.race([
    once(child, 'message'),
    ended.then(([code]) => Promise.reject(new Error(`the double ended with ${code}`))),
  ])
  return {
    url: String(url),
    async stop() {
      child.disconnect()
      await ended
    },
  }
}
