import { jidDecode } from '@whiskeysockets/baileys'
import { child, children, el, type Stanza, seconds } from '../wire/stanza.ts'
import { type Account, addressingOf, type Device, type Directory, type Group } from './directory.ts'

export interface SwitchPorts {
  directory: Directory
  deliver(device: Device, stanza: Stanza): void
  isOnline(device: Device): boolean
}

interface KeyedEnvelope {
  jid: string
  enc: Stanza
}

const now = () => String(seconds())

const BLOCKED = '403'

export class MessageSwitch {
  readonly #ports: SwitchPorts
  /** With the jid used for the subscription. */
  readonly #watchers = new Map<Account, Map<Device, string>>()

  constructor(ports: SwitchPorts) {
    this.#ports = ports
  }

  /** Unknown kinds are dropped. */
  submit(from: Device, stanza: Stanza) {
    if (stanza.tag === 'message') this.#routeMessage(from, stanza)
    else if (stanza.tag === 'receipt') this.#routeReceipt(from, stanza)
    else if (stanza.tag === 'ack') from.inbox.settle(stanza.attrs.class ?? '', stanza)
    else if (stanza.tag === 'chatstate') this.#broadcast(from, stanza)
    else if (stanza.tag === 'presence') this.#routePresence(from, stanza)
  }

  /** Typing: not for offline devices, nor for who blocked the sender. */
  #broadcast(from: Device, { tag, attrs: { to = '', type }, content }: Stanza) {
    if (this.#ports.directory.account(to)?.blocked.has(from.account)) return
    const update = el(tag, { from: from.account.jid(addressingOf(to)), type }, content)
    for (const target of this.#ports.directory.account(to)?.devices.values() ?? []) {
      if (this.#ports.isOnline(target)) target.link?.deliver(update)
    }
  }

  #routePresence(from: Device, { attrs: { type, to = '' } }: Stanza) {
    if (type === 'subscribe') {
      const account = this.#ports.directory.account(to)
      if (!account) return
      const watchers = this.#watchers.get(account) ?? new Map<Device, string>()
      this.#watchers.set(account, watchers.set(from, to))
      const away = account.devices.get(0)?.link ? undefined : 'unavailable'
      from.link?.deliver(el('presence', { from: to, type: away, last: away && now() }))
    } else if (type === 'available' || type === 'unavailable') {
      for (const [watcher, jid] of this.#watchers.get(from.account) ?? []) {
        const update = el('presence', { from: jid, type: type === 'available' ? undefined : type })
        if (this.#ports.isOnline(watcher)) watcher.link?.deliver(update)
      }
    }
  }

  #routeMessage(from: Device, stanza: Stanza) {
    const { to = '', id, type, category, edit, recipient = to, t = now() } = stanza.attrs
    const group = this.#ports.directory.group(to)
    const refusal = !group && this.#ports.directory.account(to)?.blocked.has(from.account) ? BLOCKED : undefined
    from.link?.deliver(el('ack', { class: 'message', id, from: to, error: refusal, t: now() }))
    if (refusal) return
    if (group) return this.#routeToGroup(from, group, stanza)
    for (const { jid, enc } of envelopesOf(stanza, to)) {
      const target = this.#ports.directory.device(jid)
      if (!target) continue
      const addressing = addressingOf(jid)
      const own = target.account === from.account
      const shownNumber = addressing === 'lid' && !from.account.hidesNumber
      const attrs = {
        id,
        type,
        category,
        edit,
        from: from.jid(addressing),
        recipient: own && category !== 'peer' ? recipient : undefined,
        notify: from.account.name,
        t,
        addressing_mode: own ? undefined : addressing,
        sender_lid: !own && addressing === 'pn' ? from.account.jid('lid') : undefined,
        sender_pn: !own && shownNumber ? from.account.jid('pn') : undefined,
      }
      this.#ports.deliver(target, el('message', attrs, [enc, ...children(stanza, 'device-identity')]))
    }
  }

  #routeToGroup(from: Device, group: Group, stanza: Stanza) {
    if (!group.members.has(from.account)) return
    const { participant } = stanza.attrs
    const keys = new Map(envelopesOf(stanza).map(({ jid, enc }) => [this.#ports.directory.device(jid), enc]))
    const attrs = {
      id: stanza.attrs.id,
      type: stanza.attrs.type,
      edit: stanza.attrs.edit,
      from: group.id,
      participant: from.jid('lid'),
      participant_pn: from.account.hidesNumber ? undefined : from.jid('pn'),
      addressing_mode: 'lid',
      notify: from.account.name,
      t: stanza.attrs.t ?? now(),
    }
    const shared = [...children(stanza, 'enc'), ...children(stanza, 'device-identity')]
    const one = participant && this.#ports.directory.device(participant)
    const targets = one ? [one] : [...group.members].flatMap((member) => [...member.devices.values()])
    for (const target of targets) {
      if (target === from) continue // Baileys sends its own device a sender key too
      const key = keys.get(target)
      this.#ports.deliver(target, el('message', attrs, key ? [key, ...shared] : shared))
    }
  }

  #routeReceipt(from: Device, stanza: Stanza) {
    const { id, type, recipient, participant, to = '' } = stanza.attrs
    from.inbox.settle('message', stanza)
    from.link?.deliver(el('ack', { class: 'receipt', id, from: to, participant, type, t: now() }))
    const { directory } = this.#ports
    const shownType = type === 'inactive' ? undefined : type
    const group = directory.group(to)
    const account = directory.account(group ? participant : to)
    if (!account) return
    const own = !group && account === from.account
    const attrs = group
      ? { id, from: group.id, participant: from.jid('lid'), type: shownType, t: now() }
      : { id, from: from.jid(addressingOf(to)), type: shownType, recipient: own ? recipient : undefined, t: now() }
    const toOneDevice = !group && (type === 'retry' || type === 'sender' || jidDecode(to)?.device)
    const targets = toOneDevice ? [directory.device(to)] : [...account.devices.values()]
    for (const target of targets) {
      if (target && target !== from) this.#ports.deliver(target, el('receipt', attrs, stanza.content))
    }
  }
}

/** The <participants> of a message, or the single <enc> sent to `to`. */
function envelopesOf(stanza: Stanza, to?: string): KeyedEnvelope[] {
  const fanout = children(child(stanza, 'participants'), 'to')
  const found = fanout.length
    ? fanout.map((entry) => ({ jid: entry.attrs.jid, enc: child(entry, 'enc') }))
    : [{ jid: to, enc: child(stanza, 'enc') }]
  return found.filter((entry): entry is KeyedEnvelope => entry.jid !== undefined && entry.enc !== undefined)
}
