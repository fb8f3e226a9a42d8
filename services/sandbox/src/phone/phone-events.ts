import type { proto } from '@whiskeysockets/baileys'

export interface IncomingMessage {
  id: string
  /** The phone's own number when a linked companion sent it. */
  from: string
  /** The group, or the partner when a companion sent the message. */
  to?: string
  text: string
  message: proto.IMessage
  /** Milliseconds since 1970. */
  at: number
}

export interface Correction {
  id: string
  from: string
  to?: string
  message?: proto.IMessage
  at: number
}

export interface ReceiptUpdate {
  id: string
  from: string
  /** 0 is the phone itself. */
  device: number
  /** `delivered`, `read`, or a technical type of companions (`sender`, `hist_sync`, …). */
  type: string
}

export interface PhoneEvents {
  message: [IncomingMessage]
  correction: [Correction]
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
