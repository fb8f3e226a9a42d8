import type { Instant } from '@prosa/contracts/values/instant'
import { escaped, htmlMail } from './html-mail.ts'
import type { Mail } from './mailer.ts'

export interface ConfirmationMailFacts {
  to: string
  link: string
  /** Validity of the link. */
  days: number
  messageId: string
  /** The trial was used with another account. */
  isTrialUsed?: true | undefined
  /** When sending stops, if it continues until then. */
  until?: Instant | undefined
}

const dayAndHour = new Intl.DateTimeFormat('pt-BR', {
  dateStyle: 'short',
  timeStyle: 'short',
  timeZone: 'America/Sao_Paulo',
})

/** Quotes no user input and warns: the address may be a stranger's. */
export const confirmationMail = ({ to, link, days, messageId, ...facts }: ConfirmationMailFacts): Mail => {
  const greeting = 'Olá.'
  const why = 'Este e-mail foi informado em uma conta no Prosa. Se a conta é sua, confirme que o e-mail também é:'
  const limits = `O link vale por ${days} dias.`
  const more = [
    ...(facts.until === undefined
      ? []
      : [
          `Sem a confirmação, a conta deixa de enviar mensagens em ${dayAndHour.format(Date.parse(facts.until))} (horário de Brasília). O que seus clientes escrevem continua chegando.`,
        ]),
    ...(facts.isTrialUsed
      ? ['O período de teste deste e-mail já foi usado, em outra conta: nesta ele não começa de novo.']
      : []),
  ]
  const otherwise =
    'Se não foi você, não abra o link: sem a confirmação, a conta não recebe nada do que foi comprado com este e-mail.'
  return {
    to,
    subject: 'Confirme seu e-mail no Prosa',
    messageId,
    text: [greeting, why, link, limits, ...more, otherwise].join('\n\n'),
    html: htmlMail([
      escaped(greeting),
      escaped(why),
      `<a href="${escaped(link)}" style="color: #0b6b57">Confirmar meu e-mail</a>`,
      escaped(limits),
      ...more.map(escaped),
      escaped(otherwise),
    ]),
  }
}
