import { escaped, htmlMail } from './html-mail.ts'
import type { Mail } from './mailer.ts'

export interface EmailChangedMailFacts {
  /** The former address. */
  to: string
  messageId: string
}

/** Warns of a hijacked account. Neither names the new address nor quotes user input: the recipient may be a stranger. */
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
