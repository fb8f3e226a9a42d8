import type { WebSocket } from 'ws'
import { Connection } from '../wire/connection.ts'
import type { HandshakeResult } from '../wire/noise.ts'
import { el, firstChild, type Stanza, seconds } from '../wire/stanza.ts'
import type { ServerIdentity } from '../wire/trust.ts'
import type { Companions } from './companions.ts'
import type { Device, Directory } from './directory.ts'
import type { Faults } from './faults.ts'
import type { PairingDesk } from './pairing-desk.ts'

export interface ClientEndpointDeps {
  identity: ServerIdentity
  directory: Directory
  pairing: PairingDesk
  companions: Companions
  faults: Faults
  refs: number
  /** Releases output once everything before it is stored; default: at once. */
  outlet?: (effect: () => void) => void
  /** `text` is costly. */
  onWire(peer: string, direction: 'in' | 'out', text: () => string): void
  answerQuery(device: Device, query: Stanza): Stanza
  submit(device: Device, stanza: Stanza): void
  onOffline(device: Device): void
}

export class ClientEndpoint {
  readonly #deps: ClientEndpointDeps
  readonly #connections = new Set<Connection>()
  opened = 0

  constructor(deps: ClientEndpointDeps) {
    this.#deps = deps
  }

  accept(socket: WebSocket) {
    const { identity, outlet, faults, pairing, refs, onWire } = this.#deps
    const connection = new Connection(socket, identity, { outlet, delayMs: () => faults.delayMs })
    let peer = 'new'
    this.#connections.add(connection)
    this.opened++
    connection.on('wire', (direction, text) => onWire(peer, direction, text))
    connection.on('close', () => this.#connections.delete(connection))
    connection.on('login', (hello) => {
      const { username, device, devicePairingData } = hello.payload
      peer = username ? `${username}:${device ?? 0}` : 'pairing'
      if (devicePairingData) pairing.offer(connection, hello, refs)
      else this.#logIn(connection, hello)
    })
  }

  dropAll() {
    for (const connection of this.#connections) connection.drop()
  }

  #logIn(connection: Connection, { clientStatic, payload }: HandshakeResult) {
    const { directory, faults, companions, onOffline } = this.#deps
    const device = directory.byNumber(String(payload.username))?.devices.get(payload.device ?? 0)
    const reason = device?.noiseKey?.equals(clientStatic) ? faults.refuseLogins.shift() : '401'
    if (!device || reason) {
      connection.send(el('failure', { reason, location: 'sandbox' }))
      connection.close()
      return
    }
    connection.on('stanza', (stanza) => this.#onStanza(device, connection, stanza))
    companions.admit(device, connection, () => onOffline(device))
  }

  #onStanza(device: Device, connection: Connection, stanza: Stanza) {
    const { faults, companions, answerQuery, submit } = this.#deps
    const { tag, attrs } = stanza
    if (tag === 'iq') {
      if (attrs.type !== 'result') connection.send(answerQuery(device, stanza))
    } else if (tag === 'ib') {
      if (firstChild(stanza)?.tag === 'offline_batch') companions.releaseBatch(device)
    } else if (tag === 'receipt' && faults.loseReceipts > 0) {
      faults.loseReceipts--
    } else if (tag === 'message' && faults.loseMessages > 0) {
      faults.loseMessages--
    } else if (tag === 'message' && faults.refuseMessages.length) {
      const error = faults.refuseMessages.shift()
      connection.send(el('ack', { class: 'message', id: attrs.id, from: attrs.to, error, t: String(seconds()) }))
    } else {
      submit(device, stanza)
    }
  }
}
