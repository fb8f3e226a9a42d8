/** The sandbox with people in it: phones that keep their chats, and news whenever anything changed. */
import { EventEmitter } from 'node:events'
import type { Certificate } from '../server/media.ts'
import { SandboxServer } from '../server/server.ts'
import type { Chat, ChatState } from './chat.ts'
import { PhoneChats } from './phone-chats.ts'
import type { SimulatedChat, SimulatedMessage, SimulatedPhone } from './simulator-contract.ts'

interface Events {
  /** Something a page might show is different now. */
  change: []
  /** The host is going down: open event streams end. */
  closing: []
}

export interface SimulatorOptions {
  /** Of the WhatsApp server; keep it over restarts, linked clients come back to it. */
  port?: number
  /** Phones, keys, chats and undelivered messages live here over restarts; without it, in memory only. */
  stateFile?: string
  /** TLS certificate for 127.0.0.1; without it clients cannot upload media. */
  certificate?: Certificate
}

export type AttachedChats = [number: string, chats: ChatState[]][]

export class Simulator extends EventEmitter<Events> {
  readonly sandbox: SandboxServer
  /** By the phone's id. */
  readonly #phones = new Map<string, PhoneChats>()

  /** @param sandbox a server nobody else attached state to */
  constructor(sandbox: SandboxServer) {
    super()
    this.setMaxListeners(0) // every open page listens
    this.sandbox = sandbox
    const kept = new Map((sandbox.attached as AttachedChats | undefined) ?? [])
    for (const phone of sandbox.phones.values()) this.#adopt(phone.number, kept.get(phone.number))
    sandbox.attach = (): AttachedChats => [...this.#phones.values()].map((it) => [it.phone.number, it.state()])
    for (const event of ['linked', 'online', 'offline', 'unlinked'] as const) {
      sandbox.on(event, () => this.#changed())
    }
  }

  /** What a client takes as `waWebSocketUrl`. */
  get url() {
    return this.sandbox.url
  }

  phones(): SimulatedPhone[] {
    return [...this.#phones.values()].map((it) => this.#describe(it))
  }

  phone(id: string): PhoneChats | undefined {
    return this.#phones.get(id)
  }

  hasNumber(number: string): boolean {
    return this.sandbox.phones.has(number)
  }

  /** Throws when the number is taken; hasNumber() says so before. */
  addPhone(number: string, name: string): SimulatedPhone {
    this.sandbox.addPhone(number, name)
    const added = this.#adopt(number)
    this.#changed()
    return this.#describe(added)
  }

  /** The number belongs to nobody afterwards; its linked devices are unlinked. */
  removePhone(id: string) {
    const removed = this.#phones.get(id)
    if (!removed) return
    this.#phones.delete(id)
    this.sandbox.removePhone(removed.phone)
    removed.phone.removeAllListeners()
    this.#changed()
  }

  /** Resolves when everything that happened so far survives a crash. */
  saved(): Promise<void> {
    return this.sandbox.saved()
  }

  stop(): Promise<void> {
    return this.sandbox.stop()
  }

  #adopt(number: string, chats?: ChatState[]): PhoneChats {
    const phone = this.sandbox.phones.get(number)
    if (!phone) throw new Error(`no phone ${number}`)
    const adopted = new PhoneChats(phone, () => this.#changed(), chats)
    this.#phones.set(phone.account.lidUser, adopted)
    return adopted
  }

  #changed() {
    this.sandbox.touch()
    this.emit('change')
  }

  #describe(it: PhoneChats): SimulatedPhone {
    const { phone } = it
    const linkedDevices = phone.companions().map((device) => ({
      id: String(device.id),
      online: this.sandbox.isOnline(device),
    }))
    const chats = it.chats().map((chat) => this.#describeChat(chat))
    return {
      id: phone.account.lidUser,
      name: phone.account.name,
      number: phone.number,
      online: phone.online,
      linkedDevices,
      chats: chats.sort((a, b) => (b.lastMessage?.at ?? '').localeCompare(a.lastMessage?.at ?? '')),
    }
  }

  #describeChat(chat: Chat): SimulatedChat {
    const last = chat.last()
    return {
      with: { number: chat.partner, name: this.sandbox.directory.byNumber(chat.partner)?.name ?? null },
      unread: chat.unread().length,
      lastMessage: last ? describeMessage(last) : null,
    }
  }
}

export const describeMessage = ({ id, fromMe, text, at, status }: SimulatedMessage): SimulatedMessage => ({
  id,
  fromMe,
  text,
  at,
  status,
})

/** Starts the WhatsApp server with the phones of the state file. Rejects when port or file cannot be used. */
export async function startSimulator(options: SimulatorOptions = {}): Promise<Simulator> {
  const sandbox = new SandboxServer({ ...options, fewPreKeys: true })
  sandbox.on('saveFailed', (error) => process.emitWarning(`sandbox state not saved: ${error}`))
  const simulator = new Simulator(sandbox)
  await sandbox.start()
  return simulator
}
