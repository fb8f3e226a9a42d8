import { EventEmitter } from 'node:events'
import type { MessageNotice, SimulatedPhone } from '@prosa/contracts/http/simulator'
import type { Phone } from '../phone/phone.ts'
import { SandboxServer } from '../server/server.ts'
import type { Certificate } from '../wire/self-signed-certificate.ts'
import type { ChatMessage, ChatState } from './chat.ts'
import { describeMessage, describePhone } from './describe.ts'
import { PhoneChats } from './phone-chats.ts'

interface Events {
  change: []
  message: [MessageNotice]
  closing: []
}

export interface SimulatorOptions {
  /** Port of the WhatsApp server; default: that of the state file, or any free one. */
  port?: number
  /** Default: in memory. */
  stateFile?: string
  certificate?: Certificate
}

export type AttachedChats = [number: string, chats: ChatState[]][]

export class Simulator extends EventEmitter<Events> {
  readonly sandbox: SandboxServer
  readonly #phones = new Map<string, PhoneChats>()

  /** @param sandbox a server without attached state */
  constructor(sandbox: SandboxServer) {
    super()
    this.setMaxListeners(0)
    this.sandbox = sandbox
    const attached = new Map(sandbox.attached as AttachedChats)
    for (const phone of sandbox.phones.values()) this.#adopt(phone, attached.get(phone.number))
    for (const event of ['linked', 'online', 'offline', 'unlinked'] as const) {
      sandbox.on(event, () => this.changed())
    }
  }

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

  /** Unlinks its devices and frees the number. */
  removePhone(id: string) {
    const removed = this.#phones.get(id)
    if (!removed) return
    this.#phones.delete(id)
    removed.forget()
    this.sandbox.removePhone(removed.phone)
    removed.phone.removeAllListeners()
    this.changed()
  }

  /** The first phone creates the group. Returns its id, `…@g.us`. */
  createGroup(subject: string, [founder, ...others]: PhoneChats[]): string {
    if (!founder) throw new Error('a group without a founder')
    const members = others.map(({ phone }) => phone)
    const id = this.sandbox.createGroup(subject, founder.phone, members)
    for (const member of [founder, ...others]) member.open(id)
    return id
  }

  messages(it: PhoneChats, partner: string) {
    return (it.chat(partner)?.messages() ?? []).map((message) => this.describe(it, message))
  }

  describe(it: PhoneChats, message: ChatMessage) {
    return describeMessage(this.sandbox, it, message)
  }

  changed() {
    this.emit('change')
  }

  /** Resolves when everything so far survives a crash. */
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

/** Rejects when port or file cannot be used. */
export async function startSimulator(options: SimulatorOptions = {}): Promise<Simulator> {
  const sandbox = new SandboxServer({ ...options, fewPreKeys: true })
  sandbox.on('saveFailed', (error) => process.emitWarning(`sandbox state not saved: ${error}`))
  const simulator = new Simulator(sandbox)
  await sandbox.start()
  return simulator
}
