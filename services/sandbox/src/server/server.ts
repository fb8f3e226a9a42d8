/** The sandbox server: a loopback WhatsApp Web endpoint plus the message switch behind it. */
import { EventEmitter } from 'node:events'
import { createServer, type Server } from 'node:http'
import { setTimeout as delay } from 'node:timers/promises'
import { quietLibsignal } from '@prosa/kernel/privacy/quiet-libsignal'
import { WebSocketServer } from 'ws'
import { Phone } from '../phone/phone.ts'
import type { Certificate } from '../wire/self-signed-certificate.ts'
import { el, nextId, SERVER, type Stanza, seconds } from '../wire/stanza.ts'
import { createServerIdentity } from '../wire/trust.ts'
import { ClientEndpoint } from './client-endpoint.ts'
import { Companions } from './companions.ts'
import { type Account, type Device, Directory, type KeyBundle } from './directory.ts'
import { type Faults, noFaults } from './faults.ts'
import { listenAgain } from './listen-again.ts'
import { MediaHost } from './media.ts'
import { mediaInFolder, mediaInMemory } from './media-files.ts'
import { type PairingClient, PairingDesk } from './pairing-desk.ts'
import { answerQuery } from './queries/answer-query.ts'
import { writeGroup } from './queries/groups.ts'
import { type AttachedState, asSandboxState, loadState, type SandboxState } from './snapshot.ts'
import { PendingChanges, StateChanges } from './state-changes.ts'
import { readStateFile, StateFile } from './store.ts'
import { MessageSwitch } from './switch.ts'

/** With fewer one-time keys left than this, a client is asked for more. */
const LOW_KEYS = 5

interface Events {
  wire: [peer: string, direction: 'in' | 'out', text: string]
  /** A stanza was queued for a device. */
  queued: [Device, Stanza]
  linked: [Device]
  online: [Device]
  offline: [Device]
  unlinked: [Device]
  /** The first sync of a new companion was interrupted; it starts again at the next login. */
  syncFailed: [Device, error: unknown]
  /** The state file could not be written; it is tried again every second, and nothing leaves until it worked. */
  saveFailed: [error: unknown]
  /** So many bytes were written into the state file. */
  stateWritten: [bytes: number]
  /**
   * A simulated phone failed on what it was receiving: that is not acknowledged, and comes again when the phone next
   * goes online.
   */
  receivingFailed: [Phone, Stanza, error: unknown]
}

export interface SandboxOptions {
  /** Without it the one of the state file, or any that is free; later restarts keep it. */
  port?: number
  /** How many QR codes a pairing attempt may use up. */
  refs?: number
  /** Makes new clients upload 5 one-time keys instead of 812, which saves about half a second per pairing. */
  fewPreKeys?: boolean
  /** TLS certificate for 127.0.0.1, to which clients upload media; without it one is made. */
  certificate?: Certificate
  /**
   * Where everything is kept over a restart of the process, files of messages in a folder beside it (`….media`); without it
   * the sandbox lives in memory.
   */
  stateFile?: string
}

/** Accounts, keys and undelivered messages outlive stop(); with a `stateFile` they outlive the process too. */
export class SandboxServer extends EventEmitter<Events> {
  readonly options: SandboxOptions
  readonly directory: Directory
  readonly identity = createServerIdentity()
  readonly media: MediaHost
  readonly pairing = new PairingDesk()
  /** The simulated phones by number. */
  readonly phones = new Map<string, Phone>()
  /** Queries nobody taught the server to answer: a test can assert that this stays empty. */
  readonly unanswered: string[] = []
  readonly faults: Faults = noFaults()
  /** What a layer above wants kept in the state file is taken down here; it reads `attached` back after a restart. */
  readonly attachedChanges: StateChanges
  readonly attached: AttachedState
  readonly #changes: StateChanges
  readonly #companions = new Companions((device) => this.#onLive(device))
  readonly #switch: MessageSwitch
  readonly #endpoint: ClientEndpoint
  readonly #file?: StateFile
  #http?: Server
  #port = 0

  constructor(options: SandboxOptions = {}) {
    super()
    quietLibsignal()
    this.options = options
    const { stateFile } = options
    const files = stateFile === undefined ? mediaInMemory() : mediaInFolder(`${stateFile}.media`)
    this.media = new MediaHost(files, options.certificate)
    const pending = new PendingChanges()
    this.#changes = new StateChanges(stateFile === undefined ? undefined : pending)
    this.directory = new Directory(this.#changes)
    this.attachedChanges = this.#changes.at('attached')
    this.#switch = new MessageSwitch({
      directory: this.directory,
      deliver: (device, stanza) => this.deliver(device, stanza),
      isOnline: (device) => this.isOnline(device),
    })
    const content = stateFile === undefined ? undefined : readStateFile(stateFile)
    this.attached = content === undefined ? [] : this.#restore(asSandboxState(content))
    if (stateFile !== undefined) {
      this.#file = new StateFile({
        path: stateFile,
        changes: pending,
        onFailure: (error) => this.emit('saveFailed', error),
        onWritten: (bytes) => this.emit('stateWritten', bytes),
      })
    }
    const file = this.#file
    this.#endpoint = new ClientEndpoint({
      identity: this.identity,
      directory: this.directory,
      pairing: this.pairing,
      companions: this.#companions,
      faults: this.faults,
      refs: options.refs ?? 6,
      outlet: file && ((effect) => file.release(effect)),
      onWire: (peer, direction, text) => {
        if (this.listenerCount('wire')) this.emit('wire', peer, direction, text())
      },
      answerQuery: (device, query) => answerQuery(this, device, query),
      submit: (device, stanza) => this.submit(device, stanza),
      onOffline: (device) => this.emit('offline', device),
    })
  }

  /** What a client takes as `waWebSocketUrl`. */
  /** How many client sockets were opened since the server was made, each of them a handshake. */
  get socketsOpened(): number {
    return this.#endpoint.opened
  }

  get url() {
    return `ws://127.0.0.1:${this.#port}/ws/chat`
  }

  get rootPublicKey(): Uint8Array {
    return this.identity.root.public
  }

  /** Rejects when `options.port` is taken. */
  async start() {
    await this.media.start()
    const http = createServer((_request, response) => response.writeHead(426).end())
    const { port } = this.options
    const listened = await listenAgain(http, port || this.#port)
    if (port && listened !== port) {
      http.close()
      this.media.stop()
      throw new Error(`port ${port} is taken`)
    }
    this.#http = http
    this.#port = listened
    this.#changes.set('ports', () => ({ whatsapp: this.#port, media: this.media.ports }))
    this.#file?.wake()
    this.#file?.touch()
    const sockets = new WebSocketServer({ server: http, path: '/ws/chat', perMessageDeflate: false })
    sockets.on('connection', (socket) => this.#endpoint.accept(socket))
  }

  /** Stops listening, cuts every client, saves, and lets go of the file; start() continues where it was. */
  async stop() {
    this.#endpoint.dropAll()
    this.media.stop()
    const http = this.#http
    this.#http = undefined
    if (http) {
      http.closeAllConnections()
      await new Promise((resolve) => http.close(resolve))
    }
    await this.#file?.rest()
  }

  /** Cuts every client and comes back after a while, as a server that is replaced does. */
  async restart(awayMs = 0) {
    await this.stop()
    if (awayMs) await delay(awayMs)
    await this.start()
  }

  /** Resolves when everything that happened so far is in the state file; at once when there is none. */
  async saved() {
    await this.#file?.saved()
  }

  /** Adds an account with its primary device, simulated in this process. Throws when the number is taken. */
  addPhone(number: string, name: string): Phone {
    const phone = new Phone(this, this.directory.addAccount(number, name))
    this.phones.set(number, phone)
    return phone
  }

  /**
   * Reports it, in the last resort on standard error: a phone that fell silent would look like a fault of whoever is
   * tested.
   */
  receivingFailed(phone: Phone, stanza: Stanza, error: unknown) {
    if (!this.emit('receivingFailed', phone, stanza, error))
      process.emitWarning(`a simulated phone failed to receive a ${stanza.tag}: ${error}`)
  }

  /** Takes an account off the network: its companions are unlinked, its number belongs to nobody. */
  removePhone(phone: Phone) {
    for (const companion of phone.companions()) this.unlink(companion)
    phone.goOffline()
    this.phones.delete(phone.number)
    this.directory.removeAccount(phone.account)
  }

  /** Returns the group's id, `…@g.us`. */
  createGroup(subject: string, creator: Phone, members: Phone[]): string {
    const id = `1203630${Date.now()}${this.directory.groups.size}@g.us`
    const accounts = [creator, ...members].map((phone) => phone.account)
    const group = { id, subject, creator: creator.account, created: seconds(), members: new Set(accounts) }
    this.directory.groups.set(id, group)
    for (const device of accounts.flatMap((member) => [...member.devices.values()])) {
      this.notify(device, 'w:gp2', [el('create', {}, [writeGroup(group)])], id, creator.account.jid('lid'))
    }
    return id
  }

  /** Whether `blocker` refuses what `other` writes. */
  setBlocked(blocker: Account, other: Account, blocked: boolean) {
    blocker.setBlocked(other, blocked)
  }

  /** Hands out a key bundle, and asks the device for more one-time keys when few are left. */
  takeBundle(device: Device | undefined): KeyBundle | undefined {
    const bundle = device?.takeBundle()
    if (device && bundle && device.id !== 0 && device.oneTimeKeys.size < LOW_KEYS) {
      this.notify(device, 'encrypt', [el('count', { value: String(device.oneTimeKeys.size) })])
    }
    return bundle
  }

  isOnline(device: Device): boolean {
    return this.#companions.isOnline(device)
  }

  /** Takes a stanza from any device (client socket or simulated phone) and passes it on. */
  submit(from: Device, stanza: Stanza) {
    this.#switch.submit(from, stanza)
  }

  /** Queues a stanza until the device acknowledges it, and sends it now if the device is live. */
  deliver(device: Device, stanza: Stanza) {
    device.inbox.put(stanza)
    if (stanza.tag === 'message') device.lastMessage = stanza
    this.emit('queued', device, stanza)
    if (this.#companions.takesLiveTraffic(device)) device.link?.deliver(stanza)
  }

  /** Sends an unacknowledged or arbitrary stanza again, e.g. to provoke duplicate handling. */
  redeliver(device: Device, stanza: Stanza) {
    device.link?.deliver(stanza)
  }

  /** Sends the last message of this device once more; false when it never had one or is away. */
  redeliverLast(device: Device): boolean {
    if (!device.lastMessage || !device.link) return false
    this.redeliver(device, device.lastMessage)
    return true
  }

  notify(device: Device, type: string, content: Stanza[], from: string = SERVER, participant?: string) {
    const attrs = { id: nextId('ntf'), from, participant, type, t: String(seconds()) }
    this.deliver(device, el('notification', attrs, content))
  }

  /** Called once the client declared itself active: first the backlog, then live traffic. */
  startDelivery(device: Device) {
    this.#companions.startDelivery(device)
  }

  /** Registers the companion and asks it to come back, this time logging in. */
  completeLink(client: PairingClient, device: Device) {
    device.noiseKey = client.noiseKey
    device.awaitsFirstSync = true
    client.connection.send(el('stream:error', { code: '515' }))
    client.connection.close()
    this.emit('linked', device)
  }

  /** Removes a companion: its socket gets the 401 stream error, later logins get a 401 failure. */
  unlink(device: Device) {
    device.account.removeDevice(device.id)
    this.#companions.expel(device)
    this.emit('unlinked', device)
  }

  /** Cuts the socket of a companion, as a lost network would. */
  dropConnection(device: Device) {
    this.#companions.drop(device)
  }

  /** The network dies under a client without a word: its socket stays open, and nothing passes any more. */
  silenceConnection(device: Device) {
    this.#companions.silence(device)
  }

  /** Everything that is restored counts as changed: the first save writes it as this version does. */
  #restore(state: SandboxState): AttachedState {
    const { ports, attached = [] } = state
    if (ports) {
      this.#port = ports.whatsapp
      this.media.ports = ports.media
      this.#changes.set('ports', () => ports)
    }
    for (const [number, kept] of loadState(this.directory, state)) {
      const account = this.directory.byNumber(number)
      if (account) this.phones.set(number, new Phone(this, account, kept))
    }
    for (const [number, chats] of attached)
      for (const [partner, messages] of chats) {
        const changes = this.attachedChanges.at(number, partner)
        changes.set('isOpen', () => true)
        for (const message of messages) changes.at('messages').set(message.id, () => message)
      }
    return attached
  }

  #onLive(device: Device) {
    this.emit('online', device)
    const phone = this.phones.get(device.account.number)
    phone?.greet(device).catch((error: unknown) => this.emit('syncFailed', device, error))
  }
}
