/** Logged-in clients: which socket speaks for which device, and what each has been sent so far. */
import type { Connection } from '../wire/connection.ts'
import { el, type Stanza, seconds } from '../wire/stanza.ts'
import type { Device } from './directory.ts'

interface Companion {
  connection: Connection
  /** False until the client announced that it is active and the backlog went out. */
  live: boolean
  awaitingBatch?: () => void
}

export class Companions {
  readonly #companions = new Map<Device, Companion>()
  readonly #onLive: (device: Device) => void

  /** @param onLive called once per login, when the client has its backlog and takes live traffic */
  constructor(onLive: (device: Device) => void) {
    this.#onLive = onLive
  }

  /** Makes this socket the voice of the device; an earlier socket of the same device is notified that it was replaced. */
  admit(device: Device, connection: Connection, onGone: () => void) {
    const previous = this.#companions.get(device)
    if (previous) {
      previous.connection.send(el('stream:error', {}, [el('conflict', { type: 'replaced' })]))
      previous.connection.close()
    }
    const companion: Companion = { connection, live: false }
    this.#companions.set(device, companion)
    device.link = { deliver: (stanza) => connection.send(stanza) }
    connection.on('close', () => {
      if (this.#companions.get(device) !== companion) return
      this.#companions.delete(device)
      device.link = undefined
      onGone()
    })
    const attrs = { t: String(seconds()), lid: device.jid('lid'), display_name: device.account.name }
    connection.send(el('success', { ...attrs, location: 'sandbox' }))
  }

  /** True for every device that is no client, e.g. a simulated phone. */
  takesLiveTraffic(device: Device): boolean {
    return this.#companions.get(device)?.live ?? true
  }

  isOnline(device: Device): boolean {
    return this.#companions.get(device)?.live ?? device.link !== undefined
  }

  /** The client asked for its backlog after seeing the preview. */
  releaseBatch(device: Device) {
    this.#companions.get(device)?.awaitingBatch?.()
  }

  /** Called once the client declared itself active: first the backlog, then live traffic. */
  startDelivery(device: Device) {
    const companion = this.#companions.get(device)
    if (!companion || companion.live) return
    const backlog = device.inbox.values()
    const finish = () => this.#deliverBacklog(device, companion, backlog)
    if (!backlog.length) return finish()
    const count = (tag: string) => String(backlog.filter((stanza) => stanza.tag === tag).length)
    const preview = {
      count: String(backlog.length),
      appdata: '0',
      message: count('message'),
      notification: count('notification'),
      receipt: count('receipt'),
    }
    companion.awaitingBatch = finish
    companion.connection.send(el('ib', {}, [el('offline_preview', preview)]))
  }

  #deliverBacklog(device: Device, companion: Companion, backlog: Stanza[]) {
    const { connection } = companion
    companion.awaitingBatch = undefined
    for (const stanza of backlog) connection.send({ ...stanza, attrs: { ...stanza.attrs, offline: '1' } })
    connection.send(el('ib', {}, [el('offline', { count: String(backlog.length) })]))
    companion.live = true
    const seen = new Set(backlog)
    for (const stanza of device.inbox.values()) if (!seen.has(stanza)) connection.send(stanza)
    this.#onLive(device)
  }

  /** Notifies a client that its phone removed it, and hangs up. */
  expel(device: Device) {
    const connection = this.#companions.get(device)?.connection
    connection?.send(el('stream:error', { code: '401' }, [el('conflict', { type: 'device_removed' })]))
    connection?.close()
  }

  /** Leaves the socket of a companion open and dead. */
  silence(device: Device) {
    this.#companions.get(device)?.connection.goSilent()
  }

  /** Cuts the socket of a companion, as a lost network would. */
  drop(device: Device) {
    this.#companions.get(device)?.connection.drop()
  }
}
