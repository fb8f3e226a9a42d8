import type { billingEvents } from '@prosa/contracts/events/billing'
import type { HistoryDifference, HistoryIcon } from '@prosa/contracts/http/history'
import { parseStream } from '@prosa/contracts/streams'
import type { Instant } from '@prosa/contracts/values/instant'
import {
  type KiwifyEventKind,
  kiwifyTriggers,
  type OrderEventKind,
  type WebhookEndpoint,
} from '@prosa/contracts/values/kiwify'
import { erasedText } from '@prosa/contracts/values/personal'
import type { StoredOf } from '@prosa/kernel/event-store/codec'
import { type PlanOffer, planFieldsOf } from './plan-fields.ts'
import { always, type Sentences } from './sentence.ts'
import { dayOf, days, kilobytes, momentOf, quoted, reais, statusNames } from './words.ts'

const number = new Intl.NumberFormat('pt-BR')

const endpointNames: Record<WebhookEndpoint, string> = { approved: 'de aprovações', refunded: 'de reembolsos' }

const ignored: Record<StoredOf<'DeliveryIgnored'>['data']['reason'], string> = {
  test_button: 'veio do botão de teste da Kiwify',
  abandoned_cart: 'é de um carrinho abandonado',
  wrapped: 'veio embrulhado em outro formato',
  list: 'é uma lista, e não um pedido',
  unknown_event: 'é de um tipo que o Prosa não conhece',
  not_an_object: 'não traz um pedido',
  body_gone: 'o conteúdo já tinha sido apagado',
}

const reports: Record<OrderEventKind, readonly [before: string, after: string, icon: HistoryIcon]> = {
  order_approved: ['Kiwify aprovou', '', 'purchase'],
  order_rejected: ['Kiwify recusou', '', 'trouble'],
  order_refunded: ['Kiwify reembolsou', '', 'refund'],
  chargeback: ['O comprador contestou no cartão (chargeback)', '', 'refund'],
  subscription_renewed: ['Kiwify renovou a assinatura com', '', 'purchase'],
  subscription_late: ['Kiwify avisou que', ' está atrasado', 'trouble'],
  subscription_canceled: ['Kiwify avisou, com', ', que a assinatura foi cancelada', 'end'],
  pix_created: ['Kiwify gerou um Pix para', ', ainda não pago', 'purchase'],
  billet_created: ['Kiwify gerou um boleto para', ', ainda não pago', 'purchase'],
}

const methods: Record<string, string> = { credit_card: 'no cartão', pix: 'por Pix', boleto: 'por boleto' }

const paid = ({ amountCents, paymentMethod }: StoredOf<'OrderReported'>['data']): string => {
  const how = paymentMethod === null ? undefined : methods[paymentMethod]
  if (amountCents === null) return ''
  return ` (${[reais(amountCents), how].filter(Boolean).join(' ')})`
}

const triggerOf = (kind: KiwifyEventKind | null): string => (kind === null ? '' : ` ${quoted(kiwifyTriggers[kind])}`)

const assignedBy: Record<StoredOf<'OrderAssigned'>['data']['by'], string> = {
  token: 'pelo link de compra',
  subscription: 'pela assinatura, que já era dessa conta',
  email: 'pelo e-mail confirmado',
  administrator: 'pela administração',
}

const changed = (before: PlanOffer, after: PlanOffer): HistoryDifference[] => {
  const was = planFieldsOf(before)
  return Object.entries(planFieldsOf(after)).flatMap(([label, value]) =>
    was[label] === undefined || was[label] === value ? [] : [{ label, before: was[label], after: value }],
  )
}

type Refused = StoredOf<'DeliveriesRefused'>['data']

const refusedWhy: Record<Refused['causes'][number]['reason'], string> = {
  signature: 'a assinatura não confere',
  no_token: 'nenhum token configurado',
  too_large: 'conteúdo grande demais',
  unsigned: 'sem assinatura',
}

const causesOf = (causes: Refused['causes']): string =>
  causes.map(({ endpoint, reason, count }) => `${count} ${endpointNames[endpoint]}: ${refusedWhy[reason]}`).join(', ')

const sourcesOf = (addresses: Refused['addresses']): string =>
  addresses.length === 0 ? erasedText : addresses.map(({ address, count }) => `${address} (${count})`).join(', ')

const advice = (causes: Refused['causes']): string =>
  causes.some(({ reason }) => reason !== 'too_large')
    ? 'compare o token do webhook na Kiwify com o do Prosa e, depois, reenvie os avisos pela Kiwify'
    : 'nada, se não são da Kiwify'

const ownId = ({ stream }: { stream: string }) => parseStream(stream).id

const givers = { trial: ' (do período de teste)', order: '', decision: ' (dado pela administração)' }

/** Without access it ends at once. */
const until = (endsAt: Instant | null, by: keyof typeof givers = 'order'): string =>
  endsAt === null ? 'sem acesso' : `acesso até ${dayOf(endsAt)}${givers[by]}`

const planSource: Record<StoredOf<'OrderPlanAssigned'>['data']['by'], string> = {
  administrator: ', por decisão da administração',
  subscription: ', como outro pedido da mesma assinatura',
}

const revoked: Record<StoredOf<'AccessRevoked'>['data']['cause'], string> = {
  refund: 'reembolso',
  chargeback: 'chargeback',
  moved: 'passou a outra conta',
}

const accessDecided: Record<StoredOf<'AccessSet'>['data']['decision'], string> = {
  extended: 'estendeu o acesso',
  status_set: 'mudou o status da assinatura',
  removed: 'removeu o acesso',
}

export const billingSentences: Sentences<keyof typeof billingEvents> = {
  DeliveryReceived: ({ data: { endpoint, bytes } }) => ({
    text: `Kiwify enviou um aviso ao endereço ${endpointNames[endpoint]} (${kilobytes(bytes)})`,
    icon: 'webhook',
  }),
  DeliveryRepeated: ({ data: { endpoint } }) => ({
    text: `Kiwify enviou o mesmo aviso outra vez, ao endereço ${endpointNames[endpoint]}`,
    icon: 'webhook',
  }),
  DeliveryApplied: ({ data: { kind, orderId } }, names) => ({
    text: `O aviso${triggerOf(kind)} foi aplicado ao pedido ${names.order(orderId)}`,
    icon: 'webhook',
  }),
  DeliveryIgnored: ({ data: { reason, kind } }) => ({
    text: `O aviso${triggerOf(kind)} não muda nada: ${ignored[reason]}`,
    icon: 'webhook',
  }),
  DeliveryUnreadable: ({ data: { field } }) => ({
    text:
      field === null
        ? 'O aviso não pôde ser lido: não é JSON'
        : `O aviso não pôde ser lido: o campo ${quoted(field)} não é o que devia ser`,
    icon: 'trouble',
  }),
  DeliveryReprocessed: always('webhook', 'O aviso foi reprocessado'),
  DeliveryExpired: always('erased', 'O conteúdo bruto do aviso foi apagado: passou do prazo em que é guardado'),

  DeliveriesRefused: ({ data: { count, causes, addresses, lastAcceptedAt } }) => ({
    text: [
      `Prosa recusou ${count === 1 ? '1 aviso' : `${count} avisos`} da Kiwify (${causesOf(causes)})`,
      `vieram de ${sourcesOf(addresses)}`,
      lastAcceptedAt === null ? 'nenhum foi aceito até então' : `o último aceito chegou em ${momentOf(lastAcceptedAt)}`,
      `o que fazer: ${advice(causes)}`,
    ].join('; '),
    icon: 'trouble',
  }),
  RefusalsCeased: always('webhook', 'Nenhum aviso da Kiwify foi recusado na última hora'),
  RefusalAddressesExpired: always(
    'erased',
    'Os endereços de onde vieram avisos recusados foram apagados: passou do prazo em que são guardados',
  ),

  OrderReported: (event, names) => {
    const [before, after, icon] = reports[event.data.kind]
    const order = event.data.orderRef ?? names.order(ownId(event))
    const withoutPlan = event.data.isWithoutPlan ? ': nenhum plano tem o produto' : ''
    const when = `; data na Kiwify: ${momentOf(event.data.occurredAt)}`
    return { text: `${before} o pedido ${order}${after}${paid(event.data)}${withoutPlan}${when}`, icon }
  },
  OrderDeliveryAttached: (event, names) => ({
    text: `Este aviso não trouxe nada de novo sobre o pedido ${names.order(ownId(event))}`,
    icon: 'webhook',
  }),
  OrderAssigned: (event, names) => ({
    text:
      event.data.formerUserId === undefined
        ? `O pedido ${names.order(ownId(event))} é de ${names.user(event.data.userId)}, ${assignedBy[event.data.by]}`
        : `O pedido ${names.order(ownId(event))} passou da conta de ${names.user(event.data.formerUserId)} para a de ${names.user(event.data.userId)}`,
    icon: 'purchase',
  }),
  OrderPlanAssigned: (event, names) => {
    const { planName, accessDays, by } = event.data
    const plan = planName === null ? days(accessDays) : `do plano ${quoted(planName)} (${days(accessDays)})`
    return {
      text: `O pedido ${names.order(ownId(event))} é ${planName === null ? 'de ' : ''}${plan}${planSource[by]}`,
      icon: 'plan',
    }
  },
  OrderHidden: (event, names) => ({
    text: `A transação do pedido ${names.order(ownId(event))} saiu das listas e da receita; o acesso não mudou`,
    icon: 'purchase',
  }),
  OrderShown: (event, names) => ({
    text: `A transação do pedido ${names.order(ownId(event))} voltou às listas e à receita; o acesso não mudou`,
    icon: 'purchase',
  }),
  OrderBuyerErased: (event, names) => ({
    text: `Os dados pessoais do comprador do pedido ${names.order(ownId(event))} foram apagados`,
    icon: 'erased',
  }),

  ErasedBuyerCharged: (event, names) => {
    const { orderRef, amountCents, subscriptionId } = event.data
    const order = orderRef ?? names.order(ownId(event))
    const amount = amountCents === null ? '' : ` (${reais(amountCents)})`
    const end = subscriptionId === null ? 'devolva o valor' : 'cancele a assinatura e devolva o valor'
    return {
      text: `Cobrança de quem foi apagado: o pedido ${order}${amount} foi pago; ${end} na Kiwify`,
      icon: 'trouble',
    }
  },

  SubscriptionOrderSeen: ({ data: { orderId } }, names) => ({
    text: `A assinatura na Kiwify tem o pedido ${names.order(orderId)}`,
    icon: 'purchase',
  }),
  SubscriberRemembered: ({ data: { userId } }, names) => ({
    text: `A assinatura na Kiwify paga a conta de ${names.user(userId)}`,
    icon: 'purchase',
  }),
  SubscriptionCancelled: always('end', 'A assinatura na Kiwify não será mais cobrada'),

  PurchaseWaiting: ({ data: { orderId } }, names) => ({
    text: `O pedido ${names.order(orderId)} espera por quem confirmar o e-mail da compra`,
    icon: 'purchase',
  }),
  EntitlementClaimed: ({ data: { userId } }, names) => ({
    text: `${names.user(userId)} provou que o e-mail das compras é seu`,
    icon: 'purchase',
  }),

  EntitlementReleased: ({ data: { userId } }, names) => ({
    text: `${names.user(userId)} deixou o e-mail das compras: as próximas esperam por quem provar que é seu`,
    icon: 'purchase',
  }),
  BuyerOrderSeen: ({ data: { orderId } }, { order }) => ({
    text: `O pedido ${order(orderId)} traz este e-mail`,
    icon: 'purchase',
  }),
  BuyerDeliverySeen: always('webhook', 'Um aviso sem pedido, como de um carrinho abandonado, traz este e-mail'),
  BuyerErased: always(
    'erased',
    'Os dados de quem tem este e-mail foram apagados, e os que chegarem serão apagados também',
  ),

  PlanCreated: ({ data: { planName, accessDays, price } }) => ({
    text: `O plano ${quoted(planName)} foi criado: ${price}, ${days(accessDays)} de acesso`,
    icon: 'plan',
  }),
  PlanRevised: ({ data: { before, ...offer } }) => ({
    text: `O plano ${quoted(offer.planName)} foi alterado`,
    icon: 'plan',
    differences: changed(before, offer),
  }),
  PlanDeleted: ({ data: { planName } }) => ({ text: `O plano ${quoted(planName)} foi excluído`, icon: 'end' }),

  TrialStarted: ({ data: { endsAt } }) => ({ text: `Período de teste até ${dayOf(endsAt)}`, icon: 'access' }),
  TrialWithheld: ({ data: { at, endsAt, by } }) => ({
    text: `O período de teste deste e-mail já foi usado em outra conta: esta fica sem ele${endsAt !== null && endsAt > at ? `, com ${until(endsAt, by)}` : ''}`,
    icon: 'end',
  }),
  TrialEnded: always('end', 'O período de teste terminou: sem acesso'),
  OrderAttached: (event, names) => ({
    text: `O pedido ${names.order(event.data.orderId)} foi ligado à conta de ${names.user(ownId(event))}`,
    icon: 'purchase',
  }),
  OrderDetached: (event, names) => ({
    text: `O pedido ${names.order(event.data.orderId)} não é mais da conta de ${names.user(ownId(event))}`,
    icon: 'end',
  }),
  AddressAttached: (event, names) => ({
    text: `O que for comprado com este e-mail é da conta de ${names.user(ownId(event))}`,
    icon: 'purchase',
  }),
  SubscriberErased: always('erased', 'As compras da conta apagada também perdem os dados do comprador'),
  AccessGranted: ({ data: { orderId, endsAt, by } }, names) => ({
    text: `O pedido ${names.order(orderId)} vale: ${until(endsAt, by)}`,
    icon: 'access',
  }),
  AccessRevoked: ({ data: { orderId, cause, endsAt, by } }, names) => ({
    text: `O pedido ${names.order(orderId)} deixou de valer (${revoked[cause]}): ${until(endsAt, by)}`,
    icon: 'end',
  }),
  AccessSet: ({ data: { decision, before, endsAt, status }, ...event }, { actor, user }) => ({
    text: `${actor} ${accessDecided[decision]} de ${user(ownId(event))}: ${status === 'expired' ? 'sem acesso' : until(endsAt)}`,
    icon: status === 'expired' ? 'end' : 'access',
    differences: [
      { label: 'Situação', before: statusNames[before.status], after: statusNames[status] },
      {
        label: 'Acesso até',
        before: before.endsAt === null ? 'sem acesso' : dayOf(before.endsAt),
        after: dayOf(endsAt),
      },
    ],
  }),
  RenewalCancelled: always('end', 'A renovação foi cancelada: o que está pago vale até o fim'),
  LimitWarned: ({ data: { percent, used, limit } }) => ({
    text: `Foram enviadas ${number.format(used)} das ${number.format(limit)} mensagens do mês${percent === 100 ? ': nada mais sai até o próximo' : ''}`,
    icon: 'end',
  }),
  AccessEnded: always('end', 'O período de acesso terminou: sem acesso'),
}
