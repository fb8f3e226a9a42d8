/** What a phone notifies its listeners of. */
import type { proto } from '@whiskeysockets/baileys'

export interface IncomingMessage {
  id: string
  /** Number of the sender; the phone's own number when a linked companion sent it. */
  from: string
  /** The group, or the chat partner when a companion of this phone sent the message. */
  to?: string
  /** Text or caption; empty for other content. */
  text: string
  message: proto.IMessage
  /** When the sender wrote it, in milliseconds since 1970. */
  at: number
}

/** Somebody changed (`message`) or took back (none) what they wrote before. */
export interface Correction {
  /** Of the message that is corrected. */
  id: string
  from: string
  to?: string
  message?: proto.IMessage
  at: number
}

export interface ReceiptUpdate {
  id: string
  from: string
  /** Which of the account's devices: 0 is the phone itself, the others are linked. */
  device: number
  /** `delivered`, `read`, or one of the technical kinds a companion sends (`sender`, `hist_sync`, …). */
  type: string
}

export interface PhoneEvents {
  message: [IncomingMessage]
  correction: [Correction]
  /** The server took a message of this phone, or refused it with an error code. */
  ack: [{ id: string; error?: string }]
  receipt: [ReceiptUpdate]
  retry: [ReceiptUpdate]
  /** `composing`, `recording` or `paused`. */
  typing: [{ from: string; state: string }]
  presence: [{ from: string; online: boolean }]
  undecryptable: [{ id: string; reason: string }]
  online: []
  offline: []
}
