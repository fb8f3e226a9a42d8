import { EffectNotMade } from '@prosa/kernel/consumers/engine/effect-once'
import { createTransport } from 'nodemailer'
import type { Mailer } from './mailer.ts'

export interface SmtpOptions {
  /** e.g. `smtps://user:password@mail.example.com`; `smtp://` goes over to TLS where the server offers it. */
  url: string
  /** The sender, e.g. `Prosa <nao-responda@example.com>`. */
  from: string
  /** How long the server may be silent; ten seconds by default. */
  timeoutMs?: number
}

/** True when the server answered no: then it does not keep what it has read. */
const isRefusal = (error: unknown): boolean => (error as { responseCode?: number }).responseCode !== undefined

/** What went wrong, without the address: the server's own words often quote it. */
const reasonOf = (error: unknown): string => {
  const { code, responseCode } = error as { code?: string; responseCode?: number }
  return `the mail server did not take the mail (${responseCode ?? code ?? 'unknown'})`
}

/** Sends over SMTP, one connection a mail. */
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
      // The error does not show when it happened: a connection that closes is named alike before and after the mail.
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
