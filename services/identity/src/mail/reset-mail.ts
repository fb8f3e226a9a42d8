import { escaped, htmlMail } from './html-mail.ts'
import type { Mail } from './mailer.ts'

export interface ResetMailFacts {
  to: string
  link: string
  /** Validity of the link. */
  minutes: number
  messageId: string
}

/** Quotes no user input: the recipient may be a stranger. */
export const resetMail = ({ to, link, minutes, messageId }: ResetMailFacts): Mail => {
  const greeting = 'Olá.'
  const why = 'Recebemos um pedido para redefinir a senha da sua conta no Prosa. Para escolher uma nova senha, abra:'
  const limits = `O link vale por ${minutes} minutos e funciona uma vez. Um pedido mais novo invalida este.`
  const otherwise = 'Se não foi você, não é preciso fazer nada: sua senha continua a mesma.'
  return {
    to,
    subject: 'Redefina sua senha do Prosa',
    messageId,
    text: [greeting, why, link, limits, otherwise].join('\n\n'),
    html: htmlMail([
      escaped(greeting),
      escaped(why),
      `<a href="${escaped(link)}" style="color: #0b6b57">Redefinir minha senha</a>`,
      escaped(limits),
      escaped(otherwise),
    ]),
  }
}
