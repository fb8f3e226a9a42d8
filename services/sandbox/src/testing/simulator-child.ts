import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import type { SimulatedMessage, SimulatedPhone } from '@prosa/contracts/http/simulator'
import { builtProgram } from '@prosa/kernel/testing/built-program'

const PROGRAM = join(import.meta.dirname, 'simulator-process.ts')

/** A simulator process that can be killed and restarted on the same ports and file. */
export class SimulatorChild {
  readonly #stateFile: string
  #child?: ChildProcess
  #ports = ['0', '0']
  url = ''
  control = ''

  constructor(stateFile: string) {
    this.#stateFile = stateFile
  }

  async start() {
    const child = spawn(process.execPath, [await builtProgram(PROGRAM), ...this.#ports, this.#stateFile], {
      env: {},
      stdio: ['ignore', 'pipe', 'inherit', 'ipc'], // signals that this process is gone
    })
    this.#child = child
    if (!child.stdout) throw new Error('the simulator has no output')
    const [line] = await once(createInterface({ input: child.stdout }), 'line')
    Object.assign(this, JSON.parse(String(line).slice(2)))
    this.#ports = [new URL(this.url).port, new URL(this.control).port]
  }

  async kill() {
    if (!this.#child) return
    const gone = once(this.#child, 'exit')
    this.#child.kill('SIGKILL')
    this.#child = undefined
    await gone
  }

  phones(): Promise<SimulatedPhone[]> {
    return this.#call('GET', '/phones')
  }

  messages(phoneId: string, number: string): Promise<SimulatedMessage[]> {
    return this.#call('GET', `/phones/${phoneId}/chats/${number}/messages`)
  }

  /** Rejects without a successful reply. */
  post<T>(path: string, body: unknown = {}): Promise<T> {
    return this.#call('POST', path, body)
  }

  async #call<T>(method: string, path: string, body?: unknown): Promise<T> {
    const reply = await fetch(`${this.control}${path}`, {
      method,
      headers: body === undefined ? {} : { 'content-type': 'application/json' },
      body: body === undefined ? undefined : JSON.stringify(body),
    })
    const text = await reply.text()
    if (!reply.ok) throw new Error(`${method} ${path}: ${reply.status} ${text}`)
    return (text ? JSON.parse(text) : undefined) as T
  }
}
