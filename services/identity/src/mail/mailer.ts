export interface Mail {
  to: string
  /** Defaults to the sender. */
  replyTo?: string
  subject: string
  /** Same content as `html`. */
  text: string
  html: string
  /** Derived from the occasion, so duplicates are recognizable. */
  messageId: string
}

export interface Mailer {
  /** Resolves once accepted. Throws `EffectNotMade` if surely not sent; other errors leave it unknown. */
  send(mail: Mail): Promise<void>
}
