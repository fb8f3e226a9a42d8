/** The sandbox with people in it: phones that keep their chats, and events whenever anything changed. */
import { EventEmitter } from 'node:events'
import type { MessageNotice, SimulatedPhone } from '@prosa/contracts/http/simulator'
import type { Phone } from '../phone/phone.ts'
import { SandboxServer } from '../server/server.ts'
import type { Certificate } from '../wire/self-signed-certificate.ts'
import type { ChatMessage, ChatState } from './chat.ts'
import { describeMessage, describePhone } from './describe.ts'
import { PhoneChats } from './phone-chats.ts'

interface Events {
  /** Something a page might show is different now. */
  change: []
  /** A message of somebody else reached a phone. */
  message: [MessageNotice]
  /** The host is going down: open event streams end. */
  closing: []
}

export interface SimulatorOptions {
  /** Of the WhatsApp server; without it the one of the state file, or any that is free. */
  port?: number
  /** Phones, keys, chats and undelivered messages live here over restarts; without it, in memory only. */
  stateFile?: string
  /** TLS certificate for 127.0.0.1; without it one is made. */
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
    const kept = new Map(sandbox.attached as AttachedChats)
    for (const phone of sandbox.phones.values()) this.#adopt(phone, kept.get(phone.number))
    for (const event of ['linked', 'online', 'offline', 'unlinked'] as const) {
      sandbox.on(event, () => this.changed())
    }
  }

  /** What a client takes as `waWebSocketUrl`. */
  get url() {
    return this.sandbox.url
  }

  phones(): SimulatedPhone[] {
    return [...this.#phones.values()].map((it) => describePhone(this.sandbox, it))
  }

  phone(id: string): PhoneChats | undefined {
    return this.#phones.get(id)
  }

  hasNumber(number: string): boolean {
    return this.sandbox.phones.has(number)
  }

  hasGroup(id: string): boolean {
    return this.sandbox.directory.groups.has(id)
  }

  /** Throws when the number is taken; check hasNumber() first. */
  addPhone(number: string, name: string, hidesNumber = false): SimulatedPhone {
    const phone = this.sandbox.addPhone(number, name)
    phone.account.hidesNumber = hidesNumber
    const added = this.#adopt(phone)
    this.changed()
    return describePhone(this.sandbox, added)
  }

  /** The number belongs to nobody afterwards; its linked devices are unlinked. */
  removePhone(id: string) {
    const removed = this.#phones.get(id)
    if (!removed) return
    this.#phones.delete(id)
    removed.forget()
    this.sandbox.removePhone(removed.phone)
    removed.phone.removeAllListeners()
    this.changed()
  }

  /** The first phone founds the group. Returns its id, `…@g.us`. */
  createGroup(subject: string, [founder, ...others]: PhoneChats[]): string {
    if (!founder) throw new Error('a group without a founder')
    const members = others.map(({ phone }) => phone)
    const id = this.sandbox.createGroup(subject, founder.phone, members)
    for (const member of [founder, ...others]) member.open(id)
    return id
  }

  /** The messages of a chat window, oldest first. */
  messages(it: PhoneChats, partner: string) {
    return (it.chat(partner)?.messages() ?? []).map((message) => this.describe(it, message))
  }

  describe(it: PhoneChats, message: ChatMessage) {
    return describeMessage(this.sandbox, it, message)
  }

  /** Something changed that no phone reported. */
  changed() {
    this.emit('change')
  }

  /** Resolves when everything that happened so far survives a crash. */
  saved(): Promise<void> {
    return this.sandbox.saved()
  }

  stop(): Promise<void> {
    for (const it of this.#phones.values()) it.close()
    return this.sandbox.stop()
  }

  #adopt(phone: Phone, chats?: ChatState[]): PhoneChats {
    const phoneId = phone.account.lidUser
    const adopted: PhoneChats = new PhoneChats(
      phone,
      {
        changed: () => this.changed(),
        received: (chat, message) => {
          if (this.listenerCount('message')) {
            this.emit('message', { phoneId, chat, message: describeMessage(this.sandbox, adopted, message) })
          }
        },
      },
      this.sandbox.attachedChanges.at(phone.number),
      chats,
    )
    this.#phones.set(phoneId, adopted)
    return adopted
  }
}

/** Starts the WhatsApp server with the phones of the state file. Rejects when port or file cannot be used. */
export async function startSimulator(options: SimulatorOptions = {}): Promise<Simulator> {
  const sandbox = new SandboxServer({ ...options, fewPreKeys: true })
  sandbox.on('saveFailed', (error) => process.emitWarning(`sandbox state not saved: ${error}`))
  const simulator = new Simulator(sandbox)
  await sandbox.start()
  return simulator
}
