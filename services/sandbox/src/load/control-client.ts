import { createInterface } from 'node:readline'
import { Readable } from 'node:stream'
import {
  type DemoProgress,
  type MessageNotice,
  messageNotice,
  type SendFile,
  type SendText,
  type SimulatedMessage,
  type SimulatedPhone,
} from '@prosa/contracts/http/simulator'
import type { Network, NetworkPhone } from './network.ts'

export class ControlClient {
  readonly root: string

  /** @param root e.g. `http://127.0.0.1:3000/api/simulador` */
  constructor(root: string) {
    this.root = root.replace(/\/$/, '')
  }

  phones(): Promise<SimulatedPhone[]> {
    return this.#call('GET', '/phones')
  }

  async phone(number: string, name: string): Promise<SimulatedPhone> {
    const found = (await this.phones()).find((phone) => phone.number === number)
    return found ?? this.#call('POST', '/phones', { number, name })
  }

  addPhone(number: string, name: string): Promise<SimulatedPhone> {
    return this.#call('POST', '/phones', { number, name })
  }

  removePhone(id: string): Promise<void> {
    return this.#call('DELETE', `/phones/${id}`)
  }

  scan(id: string, qr: string): Promise<unknown> {
    return this.#call('POST', `/phones/${id}/scan`, { qr })
  }

  messages(id: string, chat: string): Promise<SimulatedMessage[]> {
    return this.#call('GET', `/phones/${id}/chats/${chat}/messages`)
  }

  write(id: string, chat: string, message: SendText): Promise<SimulatedMessage> {
    return this.#call('POST', `/phones/${id}/chats/${chat}/messages`, message)
  }

  sendFile(id: string, chat: string, bytes: Buffer, about: SendFile): Promise<SimulatedMessage> {
    const query = new URLSearchParams()
    for (const [name, value] of Object.entries(about)) if (value !== undefined) query.set(name, String(value))
    return this.#call('POST', `/phones/${id}/chats/${chat}/files?${query}`, bytes)
  }

  react(id: string, chat: string, messageId: string, emoji: string | null): Promise<unknown> {
    return this.#call('PUT', `/phones/${id}/chats/${chat}/messages/${messageId}/reaction`, { emoji })
  }

  read(id: string, chat: string): Promise<void> {
    return this.#call('POST', `/phones/${id}/chats/${chat}/read`)
  }

  demo(): Promise<DemoProgress> {
    return this.#call('GET', '/demo')
  }

  /** Messages from others to any phone, until the signal aborts. Resolves once the stream is open. */
  async listen(received: (notice: MessageNotice) => void, signal: AbortSignal) {
    const reply = await fetch(`${this.root}/events?messages=1`, { signal })
    if (!reply.ok || !reply.body) throw new Error(`${this.root} does not answer as the simulated phones do`)
    const lines = createInterface({ input: Readable.fromWeb(reply.body as never) }) // hands on the errors of its input
    lines.on('error', (error: Error) => {
      if (!signal.aborted) process.emitWarning(`the simulated phones went away: ${error.message}`)
    })
    lines.on('line', (line) => {
      if (line.startsWith('data: ')) received(messageNotice.parse(JSON.parse(line.slice(6))))
    })
  }

  async #call<T>(method: string, path: string, body?: unknown): Promise<T> {
    const isFile = body instanceof Buffer
    const type = isFile ? 'application/octet-stream' : 'application/json'
    const reply = await fetch(this.root + path, {
      method,
      headers: body === undefined ? {} : { 'content-type': type },
      body: isFile ? new Uint8Array(body) : body === undefined ? undefined : JSON.stringify(body),
    })
    const text = await reply.text()
    if (!reply.ok) throw new Error(`${method} ${path}: ${reply.status} ${text.slice(0, 300)}`)
    return (text ? JSON.parse(text) : undefined) as T
  }
}

export function networkThere(control: ControlClient): Network {
  const added: string[] = []
  const numbers = new Map<string, string>()
  const over = new AbortController()
  return {
    async addPhone(number, name): Promise<NetworkPhone> {
      const { id } = await control.addPhone(number, name)
      added.push(id)
      numbers.set(id, number)
      return {
        number,
        scan: (qr) => control.scan(id, qr),
        sendText: (to, text) => control.write(id, to, { text }),
        sendPicture: (to, { kind, bytes, mediaType }, caption) =>
          control.sendFile(id, to, bytes, { kind, mediaType, caption }),
      }
    },
    listen: (received) =>
      control.listen(({ phoneId, message }) => {
        const number = numbers.get(phoneId)
        if (number) received(number, { from: message.author.number, text: message.text })
      }, over.signal),
    async close() {
      over.abort()
      for (const id of added) await control.removePhone(id)
    },
  }
}
