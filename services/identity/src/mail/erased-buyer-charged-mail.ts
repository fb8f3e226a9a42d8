import { escaped, htmlMail } from './html-mail.ts'
import type { Mail } from './mailer.ts'

export interface ErasedBuyerChargedMailFacts {
  to: string
  messageId: string
  /** Kiwify's id. */
  orderId: string
  orderRef: string | null
  subscriptionId: string | null
  amountCents: number | null
  link: string
}

const money = new Intl.NumberFormat('pt-BR', { style: 'currency', currency: 'BRL' })

/** Contains no personal data. */
export const erasedBuyerChargedMail = (facts: ErasedBuyerChargedMailFacts): Mail => {
  const { to, messageId, orderId, orderRef, subscriptionId, amountCents, link } = facts
  const order = orderRef === null ? orderId : `${orderRef} (${orderId})`
  const amount = amountCents === null ? '' : `, de ${money.format(amountCents / 100).replaceAll('\u00a0', ' ')}`
  const paragraphs = [
    `A Kiwify cobrou quem já tinha sido apagado do Prosa: o pedido ${order}${amount}.`,
    'Os dados pessoais que vieram com a cobrança foram apagados na chegada, e ninguém recebeu acesso por ela.',
    subscriptionId === null
      ? 'O que fazer: procure o pedido na Kiwify e devolva o valor, se for o caso.'
      : `O que fazer: na Kiwify, cancele a assinatura ${subscriptionId}, para que não haja outra cobrança, e devolva o valor deste pedido, se for o caso.`,
    `Detalhes: ${link}`,
  ]
  return {
    to,
    subject: 'Cobrança de quem foi apagado',
    messageId,
    text: paragraphs.join('\n\n'),
    html: htmlMail(paragraphs.map(escaped)),
  }
}
