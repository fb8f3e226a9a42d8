import { EffectNotMade } from '@prosa/kernel/consumers/engine/effect-once'
import { createTransport } from 'nodemailer'
import type { Mailer } from './mailer.ts'

export interface SmtpOptions {
  /** e.g. `smtps://user:password@mail.example.com`; `smtp://` upgrades to TLS if offered. */
  url: string
  /** e.g. `Prosa <nao-responda@example.com>` */
  from: string
  /** Limit of the server's silence. */
  timeoutMs?: number
}

/** The server did not accept the mail. */
const isRefusal = (error: unknown): boolean => (error as { responseCode?: number }).responseCode !== undefined

/** The server's text often quotes the address. */
const reasonOf = (error: unknown): string => {
  const { code, responseCode } = error as { code?: string; responseCode?: number }
  return `the mail server did not take the mail (${responseCode ?? code ?? 'unknown'})`
}

/** One connection per mail. */
export const smtpMailer = ({ url, from, timeoutMs = 10_000 }: SmtpOptions): Mailer => {
  const options = {
    url,
    connectionTimeout: timeoutMs,
    greetingTimeout: timeoutMs,
    socketTimeout: timeoutMs,
    disableFileAccess: true,
    disableUrlAccess: true,
  }
  return {
    async send(mail) {
      // Errors do not show if the connection closed before or after it.
      let isUnderWay = false
      const transport = createTransport(options)
      transport.use('stream', ({ message }, next) => {
        if (!message) return next(new Error('there is no mail to watch'))
        message.processFunc((words) =>
          words.once('resume', () => {
            isUnderWay = true
          }),
        )
        next()
      })
      try {
        await transport.sendMail({ ...mail, from, headers: { 'Auto-Submitted': 'auto-generated' } })
      } catch (error) {
        throw isUnderWay && !isRefusal(error) ? new Error(reasonOf(error)) : new EffectNotMade(reasonOf(error))
      }
    },
  }
}
