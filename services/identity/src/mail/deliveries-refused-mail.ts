import type { EventOf } from '@prosa/contracts/events/all-events'
import type { refusedDeliveryEvents } from '@prosa/contracts/events/billing'
import type { RefusalReason, WebhookEndpoint } from '@prosa/contracts/values/kiwify'
import { escaped, htmlMail } from './html-mail.ts'
import type { Mail } from './mailer.ts'

type DeliveriesRefused = Extract<EventOf<typeof refusedDeliveryEvents>, { type: 'DeliveriesRefused' }>['data']

export interface DeliveriesRefusedMailFacts {
  to: string
  messageId: string
  refused: Pick<DeliveriesRefused, 'count' | 'causes' | 'addresses' | 'lastAcceptedAt'>
  link: string
}

const moment = new Intl.DateTimeFormat('pt-BR', {
  timeZone: 'America/Sao_Paulo',
  dateStyle: 'short',
  timeStyle: 'short',
})

const reasons: Record<RefusalReason, string> = {
  signature: 'a assinatura não confere',
  no_token: 'nenhum token está configurado',
  too_large: 'o conteúdo é grande demais',
  unsigned: 'não têm assinatura',
}

const webhooks: Record<WebhookEndpoint, { name: string; variable: string }> = {
  approved: { name: 'Webhook de compras', variable: 'PROSA_KIWIFY_APPROVED_TOKENS' },
  refunded: { name: 'Webhook de reembolsos', variable: 'PROSA_KIWIFY_REFUNDED_TOKENS' },
}

const countOf = (count: number) => (count === 1 ? '1 aviso da Kiwify' : `${count} avisos da Kiwify`)

const sourcesOf = (addresses: DeliveriesRefused['addresses']) =>
  addresses.length === 0
    ? []
    : [`Vieram de: ${addresses.map(({ address, count }) => `${address} (${count})`).join(', ')}.`]

/** Quotes nothing from the requests' senders. */
export const deliveriesRefusedMail = ({ to, messageId, refused, link }: DeliveriesRefusedMailFacts): Mail => {
  const { count, causes, addresses, lastAcceptedAt } = refused
  const variables = [...new Set(causes.map(({ endpoint }) => webhooks[endpoint].variable))].join(' e ')
  const paragraphs = [
    `O Prosa recusou ${countOf(count)}. Se vieram mesmo da Kiwify, há vendas ou reembolsos que ele ainda não conhece.`,
    ...causes.map(({ endpoint, reason, count: each }) => `${webhooks[endpoint].name}: ${each}, ${reasons[reason]}.`),
    ...sourcesOf(addresses),
    lastAcceptedAt === null
      ? 'Nenhum aviso foi aceito até agora.'
      : `O último aviso aceito chegou em ${moment.format(new Date(lastAcceptedAt))}.`,
    `O que fazer: na Kiwify, em Apps → Webhooks, compare o token com ${variables} no servidor. Se forem diferentes, corrija, reinicie o Prosa e reenvie os avisos pela Kiwify.`,
    'Se os tokens são iguais e as vendas chegam, alguém tenta se passar pela Kiwify: nada do que enviou foi aceito.',
    `Detalhes: ${link}`,
  ]
  return {
    to,
    subject: `O Prosa recusou ${countOf(count)}`,
    messageId,
    text: paragraphs.join('\n\n'),
    html: htmlMail(paragraphs.map(escaped)),
  }
}
