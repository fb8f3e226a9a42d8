import { EventEmitter } from 'node:events'
import { createServer, type Server } from 'node:http'
import { setTimeout as delay } from 'node:timers/promises'
import { quietLibsignal } from '@prosa/product/quiet-libsignal'
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

const LOW_KEYS = 5

interface Events {
  wire: [peer: string, direction: 'in' | 'out', text: string]
  queued: [Device, Stanza]
  linked: [Device]
  online: [Device]
  offline: [Device]
  unlinked: [Device]
  /** Restarts at the next login. */
  syncFailed: [Device, error: unknown]
  /** Retried every second; nothing is sent until it worked. */
  saveFailed: [error: unknown]
  stateWritten: [bytes: number]
  /** Not acknowledged; delivered again when the phone next goes online. */
  receivingFailed: [Phone, Stanza, error: unknown]
}

export interface SandboxOptions {
  /** Default: that of the state file, or any free one. */
  port?: number
  refs?: number
  /** New clients upload 5 one-time keys instead of 812, which saves about 0.5 s per pairing. */
  fewPreKeys?: boolean
  /** TLS certificate for uploads to 127.0.0.1; default: a new one. */
  certificate?: Certificate
  /** Persists all state, files of messages in the folder `….media` beside it; default: in memory. */
  stateFile?: string
}

/** State survives stop(); with a `stateFile` also the process. */
export class SandboxServer extends EventEmitter<Events> {
  readonly options: SandboxOptions
  readonly directory: Directory
  readonly identity = createServerIdentity()
  readonly media: MediaHost
  readonly pairing = new PairingDesk()
  readonly phones = new Map<string, Phone>()
  /** Unknown queries: tests assert that there are none. */
  readonly unanswered: string[] = []
  readonly faults: Faults = noFaults()
  /** Changes of a layer above for the state file; `attached` has them after a restart. */
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
    this.#file?.resume()
    this.#file?.touch()
    const sockets = new WebSocketServer({ server: http, path: '/ws/chat', perMessageDeflate: false })
    sockets.on('connection', (socket) => this.#endpoint.accept(socket))
  }

  /** Disconnects clients, saves and releases the file; start() continues. */
  async stop() {
    this.#endpoint.dropAll()
    this.media.stop()
    const http = this.#http
    this.#http = undefined
    if (http) {
      http.closeAllConnections()
      await new Promise((resolve) => http.close(resolve))
    }
    await this.#file?.suspend()
  }

  async restart(awayMs = 0) {
    await this.stop()
    if (awayMs) await delay(awayMs)
    await this.start()
  }

  /** Resolves when everything so far is in the state file. */
  async saved() {
    await this.#file?.saved()
  }

  /** Throws when the number is taken. */
  addPhone(number: string, name: string): Phone {
    const phone = new Phone(this, this.directory.addAccount(number, name))
    this.phones.set(number, phone)
    return phone
  }

  /** By default on standard error: a silent phone would look like a fault of the tested product. */
  receivingFailed(phone: Phone, stanza: Stanza, error: unknown) {
    if (!this.emit('receivingFailed', phone, stanza, error))
      process.emitWarning(`a simulated phone failed to receive a ${stanza.tag}: ${error}`)
  }

  /** Unlinks its companions and frees its number. */
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

  setBlocked(blocker: Account, other: Account, blocked: boolean) {
    blocker.setBlocked(other, blocked)
  }

  /** Asks the device for more one-time keys when few are left. */
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

  submit(from: Device, stanza: Stanza) {
    this.#switch.submit(from, stanza)
  }

  /** Queued until acknowledged; sent now if the device is live. */
  deliver(device: Device, stanza: Stanza) {
    device.inbox.put(stanza)
    if (stanza.tag === 'message') device.lastMessage = stanza
    this.emit('queued', device, stanza)
    if (this.#companions.takesLiveTraffic(device)) device.link?.deliver(stanza)
  }

  redeliver(device: Device, stanza: Stanza) {
    device.link?.deliver(stanza)
  }

  /** False when there is none or the device is offline. */
  redeliverLast(device: Device): boolean {
    if (!device.lastMessage || !device.link) return false
    this.redeliver(device, device.lastMessage)
    return true
  }

  notify(device: Device, type: string, content: Stanza[], from: string = SERVER, participant?: string) {
    const attrs = { id: nextId('ntf'), from, participant, type, t: String(seconds()) }
    this.deliver(device, el('notification', attrs, content))
  }

  /** First the backlog, then live traffic. */
  startDelivery(device: Device) {
    this.#companions.startDelivery(device)
  }

  completeLink(client: PairingClient, device: Device) {
    device.noiseKey = client.noiseKey
    device.awaitsFirstSync = true
    client.connection.send(el('stream:error', { code: '515' }))
    client.connection.close()
    this.emit('linked', device)
  }

  /** Its socket gets the 401 stream error, later logins a 401 failure. */
  unlink(device: Device) {
    device.account.removeDevice(device.id)
    this.#companions.expel(device)
    this.emit('unlinked', device)
  }

  dropConnection(device: Device) {
    this.#companions.drop(device)
  }

  /** The socket stays open, but nothing passes any more. */
  silenceConnection(device: Device) {
    this.#companions.silence(device)
  }

  /** Restored values count as changed: the first save writes them in this version's format. */
  #restore(state: SandboxState): AttachedState {
    const { ports, attached = [] } = state
    if (ports) {
      this.#port = ports.whatsapp
      this.media.ports = ports.media
      this.#changes.set('ports', () => ports)
    }
    for (const [number, phoneState] of loadState(this.directory, state)) {
      const account = this.directory.byNumber(number)
      if (account) this.phones.set(number, new Phone(this, account, phoneState))
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
