import type { EventEmitter } from 'node:events'
import type { proto } from '@whiskeysockets/baileys'
import type { Account, Device, Directory, KeyBundle } from '../server/directory.ts'
import type { MediaHost } from '../server/media.ts'
import type { PairingClient, PairingDesk } from '../server/pairing-desk.ts'
import type { Stanza } from '../wire/stanza.ts'
import type { PhoneEvents } from './phone-events.ts'
import type { SignalDevice } from './signal-device.ts'

export interface OwnPhone extends Pick<EventEmitter<PhoneEvents>, 'emit'> {
  readonly account: Account
  readonly device: Device
  readonly signal: SignalDevice
  readonly number: string
  /** Past messages for the history sync of a new companion. */
  readonly history: proto.IConversation[]
  companions(): Device[]
  submit(stanza: Stanza): void
  encryptFor(device: Device, message: proto.IMessage, count?: string): Promise<Stanza>
  resend(receipt: Stanza, peer: Device): Promise<void>
  sendPeer(companion: Device, message: proto.IMessage): Promise<void>
}

export interface Network {
  readonly directory: Directory
  readonly media: MediaHost
  readonly pairing: PairingDesk
  submit(from: Device, stanza: Stanza): void
  deliver(device: Device, stanza: Stanza): void
  takeBundle(device: Device | undefined): KeyBundle | undefined
  completeLink(client: PairingClient, device: Device): void
  unlink(device: Device): void
  setBlocked(blocker: Account, other: Account, blocked: boolean): void
}
