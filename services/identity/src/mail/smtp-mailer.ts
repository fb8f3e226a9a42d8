import { EffectNotMade } from '@prosa/kernel/reactors/effect-once'
import { createTransport } from 'nodemailer'
import type { Mailer } from './mailer.ts'

export interface SmtpOptions {
  /** e.g. `smtps://user:password@mail.example.com`; `smtp://` goes over to TLS where the server offers it. */
  url: string
  /** The sender, e.g. `Prosa <nao-responda@example.com>`. */
  from: string
}

const patienceMilliseconds = 10_000

/** Failures before anything of the mail was said. */
const beforeTheMail = new Set(['EDNS', 'EAUTH', 'ETLS'])

/** True when the server answered no, or was never reached; a connection lost in between leaves it open. */
const isSurelyNotSent = (error: unknown): boolean => {
  const { code, syscall, responseCode } = error as { code?: string; syscall?: string; responseCode?: number }
  return responseCode !== undefined || syscall === 'connect' || beforeTheMail.has(code ?? '')
}

/** What went wrong, without the address: the server's own words often quote it. */
const reasonOf = (error: unknown): string => {
  const { code, responseCode } = error as { code?: string; responseCode?: number }
  return `the mail server did not take the mail (${responseCode ?? code ?? 'unknown'})`
}

/** Sends over SMTP, one connection a mail. */
export const smtpMailer = ({ url, from }: SmtpOptions): Mailer => {
  const transport = createTransport({
    url,
    connectionTimeout: patienceMilliseconds,
    greetingTimeout: patienceMilliseconds,
    socketTimeout: patienceMilliseconds,
    disableFileAccess: true,
    disableUrlAccess: true,
  })
  return {
    async send(mail) {
      try {
        await transport.sendMail({ ...mail, from, headers: { 'Auto-Submitted': 'auto-generated' } })
      } catch (error) {
        throw isSurelyNotSent(error) ? new EffectNotMade(reasonOf(error)) : new Error(reasonOf(error))
      }
    },
  }
}
