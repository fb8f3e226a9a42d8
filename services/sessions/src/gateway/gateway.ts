import type { Arrival, DeliveryStatus } from '../line/line.ts'
import type { Close } from '../line/reconnect-rule.ts'
import type { QueuedMessage } from '../outbox/outbox.ts'

/** Who a linked connection is on WhatsApp: digits of the phone number and of the LID. */
export interface LinkedNumber {
  phone: string | null
  lid: string | null
  pushName: string | null
}

/** A message on its way out. `messageId` is what WhatsApp will know it by; sending it again must use the same. */
export type Outgoing = Pick<QueuedMessage, 'messageId' | 'toJid' | 'owner' | 'work' | 'prepared'>

/** What somebody is doing on WhatsApp. */
export type PresenceState = 'available' | 'unavailable' | 'typing' | 'recording' | 'paused'
/** What the own side can show to be doing. */
export type ShownState = Extract<PresenceState, 'typing' | 'recording' | 'paused'>

/** A file that belongs to a message which arrived; `mediaKey` is base64. */
export interface ArrivedFile {
  chatJid: string
  messageId: string
  fromMe: boolean
  mediaKey: string
}

/** Where the own phone has put a file once more, base64, locked with that file's own key. */
export interface PhoneAnswer {
  ciphertext: string
  iv: string
}

/** Whether a receipt or a request came from the person with this address, whichever of theirs it names. */
export type IsFrom = (jid: string) => Promise<boolean>

/** Callbacks of a line. Hooks must not throw; those without a promise return at once. */
export interface LineHooks {
  /** The next QR code, as the text that a phone expects. */
  qrCode(text: string): void
  /** A phone scanned the code; the credentials are stored. */
  linked(number: LinkedNumber): void
  /** Messages flow. */
  opened(number: LinkedNumber): void
  /** Resolves once it is stored: only then is the receipt sent to WhatsApp. Rejects when it cannot be stored. */
  arrived(arrival: Arrival): Promise<void>
  /** The server took a message, or refused it with an error code. */
  acknowledged(messageId: string, error: string | undefined): void
  /** What somebody reports of a message. It counts only where they are the one to whom it went: anybody may name any id. */
  reported(messageId: string, status: DeliveryStatus, isFrom: IsFrom): void
  /** What was sent under this id, for a device that could not read it and asks again; whose device may have it is not asked here. */
  sentAs(messageId: string): Promise<Outgoing | undefined>
  /** The answer of the own phone that was asked for the file of a message; null when it has it no longer. */
  fileAnswered(messageId: string, answer: PhoneAnswer | null): void
  /** What a person who is followed does now. */
  presence(jid: string, state: PresenceState): void
  /** The line is down; the last call, exactly once, after credentials are stored. */
  closed(close: Close): void
}

/** A person's number as WhatsApp knows it, which may lack the ninth digit, and their LID where it is known. */
export interface KnownNumber {
  phone: string
  lid: string | null
}

export interface LineHandle {
  /**
   * Makes a message ready that does not follow from its work alone: uploads its file. The protobuf bytes that come back are
   * to be kept. Rejects with `FileMissing` when there is no such file, or with what went wrong. An edited caption goes with the rest
   * of the message that it stands under, where that is still kept (`original`, protobuf).
   */
  prepare(message: Outgoing, quotesOwn: boolean, original?: Uint8Array): Promise<Uint8Array>
  /**
   * Resolves when the bytes are on their way, which is no proof of their arrival. Rejects when the line is down. With
   * `asksDevices` the list of the contact's devices is fetched anew.
   */
  send(message: Outgoing, options?: { asksDevices: boolean }): Promise<void>
  /** Shows a person that what they wrote was seen, as far as the number's own settings allow. */
  markRead(chatJid: string, messageIds: readonly string[]): Promise<void>
  /**
   * Asks the own phone to upload a file again that WhatsApp forgot. It answers when it is online: see `fileAnswered`.
   */
  askForFile(file: ArrivedFile): Promise<void>
  /** Subscribes to what a person does, for as long as this line is up. */
  follow(jid: string): Promise<void>
  /** Shows a person that somebody here writes or records, or has stopped. */
  show(toJid: string, state: ShownState): Promise<void>
  /** Whether somebody sits in front of Prosa, as far as WhatsApp is to know. */
  appear(isThere: boolean): Promise<void>
  /**
   * Asks for the eight characters to be typed on the phone with this number, instead of scanning; only after a QR code was
   * shown, and good for as long as this line lives. Rejects when the line is down.
   */
  requestPairingCode(phone: string): Promise<string>
  /** Whose number this is; undefined when it has no WhatsApp. Rejects when the line is down. */
  findNumber(phone: string): Promise<KnownNumber | undefined>
  /** Asks WhatsApp to forget this device, then closes. */
  logOut(): Promise<void>
  /** Closes. Nothing is stored for this line afterwards. */
  close(): Promise<void>
}

/** Which connection a line is for, under which of its generations and under which lease (its token). */
export interface LineOwner {
  connectionId: string
  generation: number
  token: string
}

/** The way to WhatsApp. */
export interface Gateway {
  /**
   * Opens a line with the credentials of this generation, or asks for QR codes when there are none that are linked.
   * Rejects when the credentials cannot be read, or another process has the connection.
   */
  connect(owner: LineOwner, hooks: LineHooks): Promise<LineHandle>
}
