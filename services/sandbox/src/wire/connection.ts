import { EventEmitter } from 'node:events'
import { decodeBinaryNode, encodeBinaryNode } from '@whiskeysockets/baileys'
import type { WebSocket } from 'ws'
import { type HandshakeResult, NoiseResponder, type Transport } from './noise.ts'
import { brief, nextId, type Stanza } from './stanza.ts'
import type { ServerIdentity } from './trust.ts'

class DelayLine {
  readonly #delayMs: () => number
  readonly #waiting: { at: number; effect: () => void }[] = []
  #timer?: NodeJS.Timeout

  /** @param delayMs called for every effect; 0: immediate when none waits */
  constructor(delayMs: () => number) {
    this.#delayMs = delayMs
  }

  pass(effect: () => void) {
    const delayMs = this.#delayMs()
    if (delayMs <= 0 && this.#waiting.length === 0) return effect()
    this.#waiting.push({ at: Date.now() + delayMs, effect })
    this.#schedule()
  }

  #schedule() {
    const [next] = this.#waiting
    if (!next || this.#timer) return
    this.#timer = setTimeout(
      () => {
        this.#timer = undefined
        this.#release()
      },
      Math.max(0, next.at - Date.now()),
    )
  }

  #release() {
    while (this.#waiting[0] && this.#waiting[0].at <= Date.now()) this.#waiting.shift()?.effect()
    this.#schedule()
  }
}

interface Events {
  login: [HandshakeResult]
  stanza: [Stanza]
  close: []
  /** The text is built on demand. */
  wire: [direction: 'in' | 'out', text: () => string]
}

export class NoAnswer extends Error {}

interface Waiter {
  answer(reply: Stanza): void
  giveUp(): void
}

/** Delays output until its cause is stored. */
export type Outlet = (effect: () => void) => void

export interface ConnectionOptions {
  outlet?: Outlet
  /** Latency in both directions, in ms. */
  delayMs?: () => number
}

export class Connection extends EventEmitter<Events> {
  readonly #socket: WebSocket
  readonly #identity: ServerIdentity
  readonly #outlet: Outlet
  readonly #waiting = new Map<string, Waiter>()
  readonly #inward: DelayLine
  readonly #outward: DelayLine
  #pending: Buffer = Buffer.alloc(0)
  #silent = false
  #responder?: NoiseResponder
  #greeted = false
  #transport?: Transport
  #work: Promise<void> = Promise.resolve()
  #closed = false

  constructor(socket: WebSocket, identity: ServerIdentity, options: ConnectionOptions = {}) {
    super()
    const { outlet = (effect) => effect(), delayMs = () => 0 } = options
    this.#socket = socket
    this.#identity = identity
    this.#outlet = outlet
    this.#inward = new DelayLine(delayMs)
    this.#outward = new DelayLine(delayMs)
    socket.on('message', (data: Buffer) => this.#inward.pass(() => this.#take(data)))
    socket.on('close', () => {
      this.#closed = true
      for (const waiter of [...this.#waiting.values()]) waiter.giveUp()
      this.emit('close')
    })
    socket.on('error', () => socket.terminate())
  }

  send(stanza: Stanza) {
    this.#outlet(() => this.#outward.pass(() => this.#write(stanza)))
  }

  /** Rejects with NoAnswer on timeout. */
  request(stanza: Stanza, timeoutMs = 10_000): Promise<Stanza> {
    const id = stanza.attrs.id ?? nextId('srv')
    return new Promise((resolve, reject) => {
      const settle = (how: () => void) => {
        clearTimeout(timer)
        this.#waiting.delete(id)
        how()
      }
      const giveUp = () => settle(() => reject(new NoAnswer(`client did not answer ${brief(stanza, 1)}`)))
      const timer = setTimeout(giveUp, timeoutMs).unref()
      this.#waiting.set(id, { giveUp, answer: (reply) => settle(() => resolve(reply)) })
      this.send({ ...stanza, attrs: { ...stanza.attrs, id } })
    })
  }

  close() {
    this.#outlet(() => this.#outward.pass(() => this.#socket.close()))
  }

  /** Simulates a dead network: TCP stays open, nothing passes. */
  goSilent() {
    this.#silent = true
  }

  drop() {
    this.#socket.terminate()
  }

  #take(data: Buffer) {
    if (this.#silent) return
    this.#pending = this.#pending.length ? Buffer.concat([this.#pending, data]) : data
    // decodeBinaryNode is async: serial, because nonces count frames.
    this.#work = this.#work.then(() => this.#drain()).catch((error) => this.#fail(error))
  }

  #write(stanza: Stanza) {
    if (this.#closed || this.#silent || !this.#transport) return
    this.emit('wire', 'out', () => brief(stanza))
    this.#frame(this.#transport.encrypt(encodeBinaryNode(stanza)))
  }

  #frame(payload: Uint8Array) {
    const header = Buffer.alloc(3)
    header.writeUIntBE(payload.length, 0, 3)
    this.#socket.send(Buffer.concat([header, payload]))
  }

  #readIntro(): NoiseResponder | undefined {
    let offset = 0
    if (this.#pending.length >= 7 && this.#pending.toString('latin1', 0, 2) === 'ED') {
      offset = 7 + this.#pending.readUIntBE(4, 3) // edge routing blob of an earlier login
    }
    if (this.#pending.length < offset + 4) return undefined
    const prologue = this.#pending.subarray(offset, offset + 4)
    if (prologue.toString('latin1', 0, 2) !== 'WA') throw new Error('not a WhatsApp stream')
    this.#pending = this.#pending.subarray(offset + 4)
    return new NoiseResponder(this.#identity, prologue)
  }

  async #drain() {
    this.#responder ??= this.#readIntro()
    if (!this.#responder) return
    while (this.#pending.length >= 3) {
      const size = this.#pending.readUIntBE(0, 3)
      if (this.#pending.length < size + 3) return
      const frame = this.#pending.subarray(3, size + 3)
      this.#pending = this.#pending.subarray(size + 3)
      await this.#onFrame(frame, this.#responder)
    }
  }

  async #onFrame(frame: Buffer, responder: NoiseResponder) {
    if (this.#transport) {
      this.#onStanza(await decodeBinaryNode(this.#transport.decrypt(frame)))
    } else if (!this.#greeted) {
      this.#greeted = true
      this.#frame(responder.hello(frame))
    } else {
      const result = responder.finish(frame)
      this.#transport = result.transport
      this.emit('login', result)
    }
  }

  #onStanza(stanza: Stanza) {
    this.emit('wire', 'in', () => brief(stanza))
    const { id = '', type } = stanza.attrs
    const waiter = stanza.tag === 'iq' && type !== 'get' && type !== 'set' ? this.#waiting.get(id) : undefined
    if (waiter) waiter.answer(stanza)
    else this.emit('stanza', stanza)
  }

  #fail(error: unknown) {
    this.emit('wire', 'in', () => `protocol error: ${error instanceof Error ? error.message : error}`)
    this.#socket.terminate()
  }
}
