import { escaped, htmlMail } from './html-mail.ts'
import type { Mail } from './mailer.ts'

export interface EmailChangedMailFacts {
  /** The address that the account has left. */
  to: string
  messageId: string
}

/**
 * The notice to the former address: whoever lost the account to somebody else is notified. The new address is not named, and
 * nothing is quoted that anybody typed: who registered the former one may never have owned it.
 */
export const emailChangedMail = ({ to, messageId }: EmailChangedMailFacts): Mail => {
  const paragraphs = [
    'Olá.',
    'O e-mail da sua conta no Prosa foi trocado. A partir de agora, este endereço não entra mais nela nem recebe seus avisos.',
    'Se foi você, não é preciso fazer nada.',
    'Se não foi você, alguém entrou na sua conta: fale agora com quem administra o Prosa da sua empresa.',
  ]
  return {
    to,
    subject: 'O e-mail da sua conta no Prosa foi trocado',
    messageId,
    text: paragraphs.join('\n\n'),
    html: htmlMail(paragraphs.map(escaped)),
  }
}
