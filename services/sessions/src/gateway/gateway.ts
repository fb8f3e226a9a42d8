import type { Arrival, DeliveryStatus } from '../domain/line.ts'
import type { QueuedMessage } from '../outbox/outbox.ts'

export interface Close {
  /** Baileys' `DisconnectReason` or another HTTP-like number; 0: none. */
  code: number
  reason: string
}

/** Digits of the phone number and of the LID. */
export interface LinkedNumber {
  phone: string | null
  lid: string | null
  pushName: string | null
}

/** A retry must use the same `messageId`. */
export type Outgoing = Pick<QueuedMessage, 'messageId' | 'toJid' | 'tenant' | 'work' | 'prepared'>

export type PresenceState = 'available' | 'unavailable' | 'typing' | 'recording' | 'paused'
export type ShownState = Extract<PresenceState, 'typing' | 'recording' | 'paused'>

/** `mediaKey` is base64. */
export interface ArrivedFile {
  chatJid: string
  messageId: string
  fromMe: boolean
  mediaKey: string
}

/** New location of a file: base64, encrypted with the file's own key. */
export interface PhoneAnswer {
  ciphertext: string
  iv: string
}

export type IsFrom = (jid: string) => Promise<boolean>

/** They must not throw; those without a promise return at once. */
export interface LineHooks {
  qrCode(text: string): void
  /** The credentials are stored by then. */
  linked(number: LinkedNumber): void
  opened(number: LinkedNumber): void
  /** The receipt is sent to WhatsApp only after it resolves. */
  arrived(arrival: Arrival): Promise<void>
  acknowledged(messageId: string, error: string | undefined): void
  /** Counts only from the recipient: anybody may name any id. */
  reported(messageId: string, status: DeliveryStatus, isFrom: IsFrom): void
  /** For a device that asks again; the caller checks whose it is. */
  findSent(messageId: string): Promise<Outgoing | undefined>
  /** null when the phone no longer has the file. */
  fileAnswered(messageId: string, answer: PhoneAnswer | null): void
  presence(jid: string, state: PresenceState): void
  /** The last call, exactly once, after credentials are stored. */
  closed(close: Close): void
}

/** May lack the ninth digit; LID where known. */
export interface KnownNumber {
  phone: string
  lid: string | null
}

export interface LineHandle {
  /** Uploads the file; returns protobuf bytes. Rejects with `FileMissing`. An edited caption needs the `original` (protobuf). */
  prepare(message: Outgoing, quotesOwn: boolean, original?: Uint8Array): Promise<Uint8Array>
  /** Resolves when sent, which does not prove arrival. `asksDevices` refetches the contact's devices. */
  send(message: Outgoing, options?: { asksDevices: boolean }): Promise<void>
  markRead(chatJid: string, messageIds: readonly string[]): Promise<void>
  /** Asks the user's phone to upload an expired file again; see `fileAnswered`. */
  askForFile(file: ArrivedFile): Promise<void>
  follow(jid: string): Promise<void>
  show(toJid: string, state: ShownState): Promise<void>
  appear(isThere: boolean): Promise<void>
  /** Eight characters to type on the phone; only after a QR code was shown, valid while this line lives. */
  requestPairingCode(phone: string): Promise<string>
  /** undefined when the number has no WhatsApp. */
  findNumber(phone: string): Promise<KnownNumber | undefined>
  logOut(): Promise<void>
  /** Nothing is stored for this line afterwards. */
  close(): Promise<void>
}

export interface LineHolder {
  connectionId: string
  generation: number
  token: string
}

export interface Gateway {
  /** Asks for QR codes without linked credentials. Rejects when they cannot be read, or another process has the lease. */
  connect(tenant: LineHolder, hooks: LineHooks): Promise<LineHandle>
}
