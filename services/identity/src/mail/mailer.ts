export interface Mail {
  to: string
  /** Where an answer goes, if not to the sender. */
  replyTo?: string
  subject: string
  /** The same words twice: for those who read text, and for those who read HTML. */
  text: string
  html: string
  /** Made from what the mail is about, so that a mail that was sent twice can be recognised as one. */
  messageId: string
}

/** Hands mail over to a mail server. */
export interface Mailer {
  /**
   * Resolves when the server took the mail. Throws `EffectNotMade` when it surely did not, and anything else when that is
   * unknown.
   */
  send(mail: Mail): Promise<void>
}
