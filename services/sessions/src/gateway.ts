import type { ArrivedMessage, DeliveryStatus } from './line.ts'
import type { Close } from './reconnect-rule.ts'

/** Who a linked connection is on WhatsApp: digits of the phone number and of the LID. */
export interface LinkedNumber {
  phone: string | null
  lid: string | null
  pushName: string | null
}

export interface OutgoingText {
  /** The id under which WhatsApp will know the message; sending it again must use the same. */
  messageId: string
  toJid: string
  text: string
}

/** What a line tells. Hooks must not throw; those without a promise return at once. */
export interface LineHooks {
  /** The next QR code, as the text that a phone expects. */
  qrCode(text: string): void
  /** A phone scanned the code; the credentials are stored. */
  linked(number: LinkedNumber): void
  /** Messages flow. */
  opened(number: LinkedNumber): void
  /** Resolves once the message is stored: only then is WhatsApp told that we have it. Rejects when it cannot be stored. */
  arrived(message: ArrivedMessage): Promise<void>
  /** The server took a message, or refused it with an error code. */
  acknowledged(messageId: string, error: string | undefined): void
  /** What became of a message. */
  reported(messageId: string, status: DeliveryStatus): void
  /** The text that was sent under this id, for a device that could not read it and asks again. */
  textOf(messageId: string): Promise<string | undefined>
  /** The line is down; the last thing that is heard, exactly once, after credentials are stored. */
  closed(close: Close): void
}

export interface LineHandle {
  /** Resolves when the bytes are on their way, which says nothing about their arrival. Rejects when the line is down. */
  send(message: OutgoingText): Promise<void>
  /** Tells WhatsApp to forget this device, then closes. */
  logOut(): Promise<void>
  /** Closes. Nothing is stored for this line afterwards. */
  close(): Promise<void>
}

/** The way to WhatsApp. */
export interface Gateway {
  /**
   * Opens a line with the credentials of this generation, or asks for QR codes when there are none that are linked.
   * Rejects when the credentials cannot be read.
   */
  connect(connectionId: string, generation: number, hooks: LineHooks): Promise<LineHandle>
}
