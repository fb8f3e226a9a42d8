/** Stand-in for the product: real Baileys, multi-file auth state, plain reconnection. */
import { EventEmitter } from 'node:events'
import { quietLibsignal } from '@prosa/product/quiet-libsignal'
import {
  type ConnectionState,
  DisconnectReason,
  makeWASocket,
  type UserFacingSocketConfig,
  useMultiFileAuthState,
  type WAMessage,
  type WASocket,
} from '@whiskeysockets/baileys'
import { withForgettableStorages } from './forgettable-storages.ts'

interface Events {
  qr: [string]
  open: []
  closed: [code: number | undefined]
  upsert: [{ message: WAMessage; type: string }]
  status: [{ id: string; status: number }]
  serverAck: [{ id: string; error?: string }]
  /** Baileys may merge two receipts into one 'status', not always the higher. */
  receipt: [{ id: string; type: string }]
  /** Also without an event of Baileys. */
  arrived: [{ id: string }]
  history: [{ messages: number; chats: number }]
  any: [name: string, data: unknown]
}

type Logger = NonNullable<UserFacingSocketConfig['logger']>

const nothing = () => undefined
const silent: Logger = {
  level: 'silent',
  child: () => silent,
  trace: nothing,
  debug: nothing,
  info: nothing,
  warn: nothing,
  error: nothing,
}

const FINAL_CODES: unknown[] = [DisconnectReason.loggedOut, DisconnectReason.connectionReplaced]
const RECONNECT_MS = 100

export class LinkedNumber extends EventEmitter<Events> {
  readonly closes: (number | undefined)[] = []
  readonly #url: string
  readonly #folder: string
  readonly #config: Partial<UserFacingSocketConfig>
  #socket?: WASocket
  #forgetStorages: () => void = nothing
  #saving: Promise<void> = Promise.resolve()
  #stopped = false
  #reconnecting?: NodeJS.Timeout

  /** @param folder of the credentials; the same folder is the same device */
  constructor(url: string, folder: string, config: Partial<UserFacingSocketConfig> = {}) {
    super()
    quietLibsignal()
    this.#url = url
    this.#folder = folder
    this.#config = config
  }

  get socket(): WASocket {
    if (!this.#socket) throw new Error('start() comes first')
    return this.#socket
  }

  async start() {
    await this.#saving // the creds.update before a 515 must be stored
    if (this.#stopped) return
    const { state, saveCreds } = await useMultiFileAuthState(this.#folder)
    if (this.#stopped) return
    this.#forgetStorages()
    const { made: socket, forget } = withForgettableStorages(() =>
      makeWASocket({ auth: state, waWebSocketUrl: this.#url, logger: silent, ...this.#config }),
    )
    this.#socket = socket
    this.#forgetStorages = forget
    socket.ev.on('creds.update', () => {
      this.#saving = this.#saving.then(saveCreds)
    })
    socket.ev.on('connection.update', (update) => this.#onConnection(update))
    this.#relay(socket)
  }

  async stop() {
    this.#stopped = true
    clearTimeout(this.#reconnecting)
    await this.#socket?.end(undefined as never)
    await this.#saving
    this.#forgetStorages()
  }

  #relay(socket: WASocket) {
    socket.ev.on('messages.upsert', ({ messages, type }) => {
      for (const message of messages) {
        this.emit('upsert', { message, type })
        // A receipt that overtakes the echo is part of it.
        if (message.key.fromMe) this.#onStatus(message.key.id, message.status)
      }
    })
    socket.ev.on('messages.update', (updates) => {
      for (const { key, update } of updates) this.#onStatus(key.id, update.status)
    })
    socket.ev.on('messaging-history.set', ({ messages, chats }) => {
      this.emit('history', { messages: messages.length, chats: chats.length })
    })
    // Baileys has no event for a successful server ack.
    socket.ws.on('CB:ack,class:message', ({ attrs: { id = '', error } }: { attrs: Record<string, string> }) => {
      this.emit('serverAck', { id, error })
    })
    socket.ws.on('CB:receipt', ({ attrs: { id = '', type = 'delivered' } }: { attrs: Record<string, string> }) => {
      this.emit('receipt', { id, type })
    })
    socket.ws.on('CB:message', ({ attrs: { id = '' } }: { attrs: Record<string, string> }) => {
      this.emit('arrived', { id })
    })
    socket.ev.process((events) => {
      for (const [name, data] of Object.entries(events)) this.emit('any', name, data)
    })
  }

  #onStatus(id: string | null | undefined, status: number | null | undefined) {
    if (id && status != null) this.emit('status', { id, status })
  }

  #onConnection({ connection, lastDisconnect, qr }: Partial<ConnectionState>) {
    if (qr) this.emit('qr', qr)
    if (connection === 'open') this.emit('open')
    if (connection !== 'close') return
    const error = lastDisconnect?.error as { output?: { statusCode: number } } | undefined
    const code = error?.output?.statusCode
    this.closes.push(code)
    this.emit('closed', code)
    // 408: no QR code left before linking, unreachable after it.
    const gaveUp = code === DisconnectReason.timedOut && !this.socket.authState.creds.me
    if (this.#stopped || gaveUp || FINAL_CODES.includes(code)) return
    if (code === DisconnectReason.restartRequired) void this.start()
    else this.#reconnecting = setTimeout(() => void this.start(), RECONNECT_MS)
  }
}
