/** The sandbox server: a loopback WhatsApp Web endpoint plus the message switch behind it. */
import { EventEmitter, once } from 'node:events'
import type { AddressInfo } from 'node:net'
import { type WebSocket, WebSocketServer } from 'ws'
import { Phone } from '../phone/phone.ts'
import { Connection } from '../wire/connection.ts'
import type { HandshakeResult } from '../wire/noise.ts'
import { quietLibsignal } from '../wire/quiet-libsignal.ts'
import { el, firstChild, nextId, SERVER, type Stanza, seconds } from '../wire/stanza.ts'
import { createServerIdentity } from '../wire/trust.ts'
import { Companions } from './companions.ts'
import { type Device, Directory, type KeyBundle } from './directory.ts'
import { type Faults, noFaults } from './faults.ts'
import { type Certificate, MediaHost } from './media.ts'
import { type PairingClient, PairingDesk } from './pairing-desk.ts'
import { answerQuery } from './queries/answer-query.ts'
import { asSandboxState, loadState, saveState } from './snapshot.ts'
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
}

export interface SandboxOptions {
  /** Without it the system picks one, which later restarts of this object keep. */
  port?: number
  /** How many QR codes a pairing attempt may use up. */
  refs?: number
  /** Makes new clients upload 5 one-time keys instead of 812, which saves about half a second per pairing. */
  fewPreKeys?: boolean
  /** TLS certificate for 127.0.0.1; only media uploads by clients need it. */
  certificate?: Certificate
  /** Where everything is kept over a restart of the process; without it the sandbox lives in memory. */
  stateFile?: string
}

/** Accounts, keys and undelivered messages outlive stop(); with a `stateFile` they outlive the process too. */
export class SandboxServer extends EventEmitter<Events> {
  readonly options: SandboxOptions
  readonly directory = new Directory()
  readonly identity = createServerIdentity()
  readonly media: MediaHost
  readonly pairing = new PairingDesk()
  /** The simulated phones by number. */
  readonly phones = new Map<string, Phone>()
  /** Queries nobody taught the server to answer: a test can assert that this stays empty. */
  readonly unanswered: string[] = []
  readonly faults: Faults = noFaults()
  /** What a layer above wants kept in the state file; it reads `attached` back after a restart. */
  attach: () => unknown
  readonly attached: unknown
  readonly #companions = new Companions((device) => this.#onLive(device))
  readonly #switch: MessageSwitch
  readonly #connections = new Set<Connection>()
  readonly #file?: StateFile
  #http?: WebSocketServer
  #port: number

  constructor(options: SandboxOptions = {}) {
    super()
    quietLibsignal()
    this.options = options
    this.#port = options.port ?? 0
    this.media = new MediaHost(options.certificate)
    this.#switch = new MessageSwitch({
      directory: this.directory,
      deliver: (device, stanza) => this.deliver(device, stanza),
      isOnline: (device) => this.isOnline(device),
    })
    const { stateFile } = options
    const content = stateFile === undefined ? undefined : readStateFile(stateFile)
    this.attached = content === undefined ? undefined : this.#restore(content)
    this.attach = () => this.attached
    if (stateFile !== undefined) {
      this.#file = new StateFile({
        path: stateFile,
        snapshot: () => saveState(this.directory, this.phones, this.attach()),
        onFailure: (error) => this.emit('saveFailed', error),
      })
    }
  }

  /** What a client takes as `waWebSocketUrl`. */
  get url() {
    return `ws://127.0.0.1:${this.#port}/ws/chat`
  }

  get rootPublicKey(): Uint8Array {
    return this.identity.root.public
  }

  async start() {
    await this.media.start()
    const http = new WebSocketServer({ host: '127.0.0.1', port: this.#port, path: '/ws/chat' })
    await once(http, 'listening')
    this.#http = http
    this.#file?.wake()
    this.#port = (http.address() as AddressInfo).port
    http.on('connection', (socket) => this.#accept(socket))
  }

  /** Stops listening, cuts every client, saves, and lets go of the file; start() continues where it was. */
  async stop() {
    for (const connection of this.#connections) connection.drop()
    this.media.stop()
    const http = this.#http
    this.#http = undefined
    if (http) await new Promise((resolve) => http.close(resolve))
    await this.#file?.rest()
  }

  /** Resolves when everything that happened so far is in the state file; at once when there is none. */
  async saved() {
    await this.#file?.saved()
  }

  /** What is attached changed; it is saved soon. */
  touch() {
    this.#file?.touch()
  }

  /** Adds an account with its primary device, simulated in this process. Throws when the number is taken. */
  addPhone(number: string, name: string): Phone {
    const phone = new Phone(this, this.directory.addAccount(number, name))
    this.phones.set(number, phone)
    this.#file?.touch()
    return phone
  }

  /** Takes an account off the network: its companions are unlinked, its number belongs to nobody. */
  removePhone(phone: Phone) {
    for (const companion of phone.companions()) this.unlink(companion)
    phone.goOffline()
    this.phones.delete(phone.number)
    this.directory.removeAccount(phone.account)
    this.#file?.touch()
  }

  /** Returns the group's id, `…@g.us`. */
  createGroup(subject: string, creator: Phone, members: Phone[]): string {
    const id = `1203630${Date.now()}${this.directory.groups.size}@g.us`
    const accounts = [creator, ...members].map((phone) => phone.account)
    const group = { id, subject, creator: creator.account, created: seconds(), members: new Set(accounts) }
    this.directory.groups.set(id, group)
    return id
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
    this.#file?.touch()
  }

  /** Queues a stanza until the device acknowledges it, and sends it now if the device is live. */
  deliver(device: Device, stanza: Stanza) {
    device.inbox.put(stanza)
    this.emit('queued', device, stanza)
    if (this.#companions.takesLiveTraffic(device)) device.link?.deliver(stanza)
  }

  /** Sends an unacknowledged or arbitrary stanza again, e.g. to provoke duplicate handling. */
  redeliver(device: Device, stanza: Stanza) {
    device.link?.deliver(stanza)
  }

  notify(device: Device, type: string, content: Stanza[], from: string = SERVER) {
    this.deliver(device, el('notification', { id: nextId('ntf'), from, type, t: String(seconds()) }, content))
  }

  /** Called once the client declared itself active: first the backlog, then live traffic. */
  startDelivery(device: Device) {
    this.#companions.startDelivery(device)
  }

  /** Registers the companion and tells it to come back, this time logging in. */
  completeLink(client: PairingClient, device: Device) {
    device.noiseKey = client.noiseKey
    device.awaitsFirstSync = true
    client.connection.send(el('stream:error', { code: '515' }))
    client.connection.close()
    this.emit('linked', device)
  }

  /** Removes a companion: its socket gets the 401 stream error, later logins get a 401 failure. */
  unlink(device: Device) {
    device.account.devices.delete(device.id)
    this.#companions.expel(device)
    this.#file?.touch()
    this.emit('unlinked', device)
  }

  /** Cuts the socket of a companion, as a lost network would. */
  dropConnection(device: Device) {
    this.#companions.drop(device)
  }

  #restore(content: unknown): unknown {
    const state = asSandboxState(content)
    for (const [number, kept] of loadState(this.directory, state)) {
      const account = this.directory.byNumber(number)
      if (account) this.phones.set(number, new Phone(this, account, kept))
    }
    return state.attached
  }

  #accept(socket: WebSocket) {
    const file = this.#file
    const connection = new Connection(socket, this.identity, file && ((effect) => file.release(effect)))
    let peer = 'new'
    this.#connections.add(connection)
    connection.on('wire', (direction, text) => this.emit('wire', peer, direction, text))
    connection.on('close', () => this.#connections.delete(connection))
    connection.on('login', (hello) => {
      const { username, device, devicePairingData } = hello.payload
      peer = username ? `${username}:${device ?? 0}` : 'pairing'
      if (devicePairingData) this.pairing.offer(connection, hello, this.options.refs ?? 6)
      else this.#logIn(connection, hello)
    })
  }

  #logIn(connection: Connection, { clientStatic, payload }: HandshakeResult) {
    const device = this.directory.byNumber(String(payload.username))?.devices.get(payload.device ?? 0)
    const reason = device?.noiseKey?.equals(clientStatic) ? this.faults.refuseLogins.shift() : '401'
    if (!device || reason) {
      connection.send(el('failure', { reason, location: 'sandbox' }))
      connection.close()
      return
    }
    connection.on('stanza', (stanza) => this.#fromCompanion(device, connection, stanza))
    this.#companions.admit(device, connection, () => this.emit('offline', device))
  }

  #fromCompanion(device: Device, connection: Connection, stanza: Stanza) {
    const { tag, attrs } = stanza
    if (tag === 'iq') {
      if (attrs.type !== 'result') connection.send(answerQuery(this, device, stanza))
    } else if (tag === 'ib') {
      if (firstChild(stanza)?.tag === 'offline_batch') this.#companions.releaseBatch(device)
    } else if (tag === 'receipt' && this.faults.loseReceipts > 0) {
      this.faults.loseReceipts--
    } else if (tag === 'message' && this.faults.loseMessages > 0) {
      this.faults.loseMessages--
    } else if (tag === 'message' && this.faults.refuseMessages.length) {
      const error = this.faults.refuseMessages.shift()
      connection.send(el('ack', { class: 'message', id: attrs.id, from: attrs.to, error, t: String(seconds()) }))
    } else {
      this.submit(device, stanza)
    }
  }

  #onLive(device: Device) {
    this.emit('online', device)
    const phone = this.phones.get(device.account.number)
    phone?.greet(device).catch((error: unknown) => this.emit('syncFailed', device, error))
  }
}
