/** Every duration of the sessions service, in milliseconds. Tests shorten them; nothing else does. */
export interface SessionTimings {
  /** How long codes are shown after linking began. */
  linkingWindow: number
  /** Life of the first QR code, and of each that follows; WhatsApp decides them, so only a sandbox may see others. */
  firstQrCode: number
  nextQrCode: number
  /** First and longest wait before connecting again. */
  firstBackoff: number
  longestBackoff: number
  /** How long the server has to acknowledge a message before it is sent again with the same id. */
  acknowledgement: number
  /** How often the outbox is looked at when no notification came. */
  poll: number
  /** How long saying goodbye to WhatsApp may take when a number is disconnected. */
  logout: number
}

export const productionTimings: SessionTimings = {
  linkingWindow: 120_000,
  firstQrCode: 60_000,
  nextQrCode: 20_000,
  firstBackoff: 1000,
  longestBackoff: 60_000,
  acknowledgement: 15_000,
  poll: 2000,
  logout: 5000,
}
