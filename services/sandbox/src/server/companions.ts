import type { Connection } from '../wire/connection.ts'
import { el, type Stanza, seconds } from '../wire/stanza.ts'
import type { Device } from './directory.ts'

interface Companion {
  connection: Connection
  /** False until the client is active and has its backlog. */
  live: boolean
  awaitingBatch?: () => void
}

export class Companions {
  readonly #companions = new Map<Device, Companion>()
  readonly #onLive: (device: Device) => void

  /** @param onLive once per login, after the backlog */
  constructor(onLive: (device: Device) => void) {
    this.#onLive = onLive
  }

  /** An earlier socket of the device is notified that it was replaced. */
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

  releaseBatch(device: Device) {
    this.#companions.get(device)?.awaitingBatch?.()
  }

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

  expel(device: Device) {
    const connection = this.#companions.get(device)?.connection
    connection?.send(el('stream:error', { code: '401' }, [el('conflict', { type: 'device_removed' })]))
    connection?.close()
  }

  silence(device: Device) {
    this.#companions.get(device)?.connection.goSilent()
  }

  drop(device: Device) {
    this.#companions.get(device)?.connection.drop()
  }
}
