import { smtpMailer } from '../mail/smtp-mailer.ts'
import { smtpServer } from './smtp-server.ts'
import { testIdentity } from './test-identity.ts'

/** Sends its mails to a server that keeps them. */
export const identityWithMail = async () => {
  const server = await smtpServer()
  const mailer = smtpMailer({ url: server.url, from: 'Prosa <nao-responda@example.com>' })
  const prosa = await testIdentity({ publicUrl: 'https://atendimento.example.com', mailer })
  const stop = async () => {
    await prosa.stop()
    await server.close()
  }
  return { server, prosa, stop }
}
