import type {
  entitlementEvents,
  kiwifySubscriptionEvents,
  orderEvents,
  planEvents,
  refusedDeliveryEvents,
  subscriptionEvents,
  webhookDeliveryEvents,
} from '../events/billing.ts'
import { orderEventKinds } from '../values/kiwify.ts'
import { count, idField, oneOf, plainText, time, yesNo } from './field.ts'
import { leftOut, type Publications, published } from './publication.ts'

const delivery = 'is how a report of Kiwify was received and read; order-reported says what it reported'

export const publishedDeliveries: Publications<typeof webhookDeliveryEvents> = {
  DeliveryReceived: leftOut(delivery),
  DeliveryRepeated: leftOut(delivery),
  DeliveryApplied: leftOut(delivery),
  DeliveryIgnored: leftOut(delivery),
  DeliveryUnreadable: leftOut(delivery),
  DeliveryReprocessed: leftOut(delivery),
  DeliveryExpired: leftOut(delivery),
}

const refusal = 'counts requests that were no reports of Kiwify, with addresses of whoever sent them'

export const publishedRefusals: Publications<typeof refusedDeliveryEvents> = {
  DeliveriesRefused: leftOut(refusal),
  RefusalsCeased: leftOut(refusal),
  RefusalAddressesExpired: leftOut(refusal),
}

const orderId = idField('order', 'O pedido: uma cobrança.')
const account = idField('account', 'A empresa.')
const amountCents = count('Valor pago, com juros; nulo: não informado.', 'centavos de real', 9700).nullable()
const product = plainText('O produto na Kiwify.', '6f1d2c30-0000-11f1-9238-450795acb5a2').nullable()
const accessDays = count('Dias de acesso que dá.', 'dias', 30)
const kiwifySubscription = idField('subscription', 'A assinatura na Kiwify; nula: nenhuma.').nullable()

export const publishedOrders: Publications<typeof orderEvents> = {
  OrderReported: published<'OrderReported'>()(
    'order-reported',
    'A Kiwify informou algo novo de um pedido: o primeiro aviso de cada tipo, ou um período maior.',
    {
      orderId,
      kind: oneOf(orderEventKinds, 'O aviso.'),
      subscriptionId: kiwifySubscription,
      productId: product,
      productName: plainText('Nome do produto.', 'Prosa Profissional').nullable(),
      amountCents,
      paymentMethod: plainText('Forma de pagamento, como a Kiwify diz.', 'credit_card').nullable(),
      occurredAt: time('Hora da Kiwify, ou a nossa.'),
      accessUntil: time('Até quando dá acesso, segundo a Kiwify.').nullable(),
      accessDays,
      planName: plainText('Nome do plano; ausente sem plano.', 'Profissional').optional(),
      isWithoutPlan: yesNo('Nenhum plano tem o produto: não dá acesso.'),
    },
    { of: ({ isWithoutPlan = false }) => ({ isWithoutPlan }) },
  ),
  OrderDeliveryAttached: leftOut('links a repeated report to its order, so that its bytes are erased with the buyer'),
  OrderAssigned: published<'OrderAssigned'>()(
    'order-assigned',
    'O pedido é de uma empresa.',
    {
      orderId,
      accountId: account,
      by: oneOf(['token', 'subscription', 'email', 'administrator'], 'Como se soube.'),
      formerAccountId: idField('account', 'A empresa que o tinha.').optional(),
    },
    { of: ({ userId, formerUserId }) => ({ accountId: userId, formerAccountId: formerUserId }) },
  ),
  OrderPlanAssigned: published<'OrderPlanAssigned'>()('order-plan-assigned', 'O pedido recebeu um plano.', {
    orderId,
    planName: plainText('Nome do plano; nulo: 30 dias sem plano.', 'Profissional').nullable(),
    productId: product,
    accessDays,
    by: oneOf(['administrator', 'subscription'], 'Por quem.'),
  }),
  OrderHidden: published<'OrderHidden'>()('order-hidden', 'O pedido saiu das listas e somas.', { orderId }),
  OrderShown: published<'OrderShown'>()('order-shown', 'O pedido voltou às listas e somas.', { orderId }),
  OrderBuyerErased: published<'OrderBuyerErased'>()(
    'order-buyer-erased',
    'Os dados do comprador foram apagados; a cobrança fica.',
    { orderId },
  ),
  ErasedBuyerCharged: published<'ErasedBuyerCharged'>()('erased-buyer-charged', 'Um comprador apagado foi cobrado.', {
    orderId,
    subscriptionId: kiwifySubscription,
    amountCents,
  }),
}

const subscriptionId = idField('subscription', 'A assinatura na Kiwify.')

export const publishedKiwifySubscriptions: Publications<typeof kiwifySubscriptionEvents> = {
  SubscriptionOrderSeen: published<'SubscriptionOrderSeen'>()(
    'subscription-order-seen',
    'Um pedido da assinatura foi informado pela primeira vez.',
    { subscriptionId, orderId },
  ),
  SubscriberRemembered: published<'SubscriberRemembered'>()(
    'subscriber-known',
    'Sabe-se de que empresa a assinatura é.',
    { subscriptionId, accountId: account },
    { of: ({ userId }) => ({ accountId: userId }) },
  ),
  SubscriptionCancelled: published<'SubscriptionCancelled'>()(
    'subscription-cancelled',
    'A Kiwify não vai mais cobrar a assinatura.',
    { subscriptionId },
  ),
}

const buyer = 'says which purchases an e-mail address has; its stream is named by a keyed hash of the address'

export const publishedEntitlements: Publications<typeof entitlementEvents> = {
  PurchaseWaiting: leftOut(buyer),
  EntitlementClaimed: leftOut(buyer),
  EntitlementReleased: leftOut(buyer),
  BuyerDeliverySeen: leftOut(buyer),
  BuyerOrderSeen: leftOut(buyer),
  BuyerErased: leftOut(buyer),
}

const offer = {
  planId: plainText('O plano.', 'profissional'),
  planName: plainText('Nome.', 'Profissional'),
  productId: plainText('O produto na Kiwify.', '6f1d2c30-0000-11f1-9238-450795acb5a2'),
  accessDays,
  price: plainText('Preço, como mostrado.', 'R$ 97,00 por mês'),
}

export const publishedPlans: Publications<typeof planEvents> = {
  PlanCreated: published<'PlanCreated'>()('plan-created', 'Um plano foi criado.', offer),
  PlanRevised: published<'PlanRevised'>()('plan-revised', 'Um plano mudou.', offer),
  PlanDeleted: published<'PlanDeleted'>()('plan-deleted', 'Um plano foi apagado; o acesso de ninguém muda.', {
    planId: offer.planId,
    planName: offer.planName,
  }),
}

const endsAt = time('Fim do acesso depois disto; nulo: sem acesso.').nullable()
const status = oneOf(['active', 'expired', 'cancelled'], 'A situação depois disto.')
const by = oneOf(['trial', 'order', 'decision'], 'De onde vem esse acesso; ausente: não há.').optional()

export const publishedSubscriptions: Publications<typeof subscriptionEvents> = {
  TrialStarted: published<'TrialStarted'>()('trial-started', 'Uma conta nova começou o teste.', {
    endsAt: time('Fim do teste.'),
  }),
  TrialWithheld: published<'TrialWithheld'>()(
    'trial-withheld',
    'O endereço já teve um teste em outra conta: este acaba.',
    { at: time('Quando acaba.'), endsAt, status, by },
  ),
  TrialEnded: published<'TrialEnded'>()('trial-ended', 'O teste acabou.'),
  OrderAttached: published<'OrderAttached'>()('order-attached', 'Um pedido, pago ou não, passou a ser da empresa.', {
    orderId,
  }),
  OrderDetached: published<'OrderDetached'>()('order-detached', 'Um pedido foi levado a outra empresa.', { orderId }),
  AddressAttached: leftOut('holds a keyed hash of an e-mail address, for erasing'),
  SubscriberErased: leftOut('is a step of erasing an account; account-erased says it'),
  AccessGranted: published<'AccessGranted'>()(
    'access-granted',
    'Um pedido pago dá acesso.',
    {
      orderId,
      kiwifySubscriptionId: kiwifySubscription,
      productId: product,
      until: time('Até quando o pedido dá acesso.'),
      endsAt,
      status,
      by,
    },
    { of: ({ subscriptionId }) => ({ kiwifySubscriptionId: subscriptionId }) },
  ),
  AccessRevoked: published<'AccessRevoked'>()('access-revoked', 'Um pedido deixou de dar acesso.', {
    orderId,
    cause: oneOf(['refund', 'chargeback', 'moved'], 'Por quê.'),
    endsAt,
    status,
    by,
  }),
  RenewalCancelled: published<'RenewalCancelled'>()(
    'renewal-cancelled',
    'A Kiwify não vai mais cobrar; o acesso pago vale até o fim.',
    { kiwifySubscriptionId: subscriptionId, status },
    { of: ({ subscriptionId }) => ({ kiwifySubscriptionId: subscriptionId }) },
  ),
  AccessEnded: published<'AccessEnded'>()('access-ended', 'O acesso pago ou concedido acabou.'),
  LimitWarned: leftOut('follows from the messages that were sent and the plan'),
  AccessSet: published<'AccessSet'>()(
    'access-set',
    'Quem administra definiu o fim do acesso ou a situação.',
    {
      decision: oneOf(['extended', 'status_set', 'removed'], 'O que decidiu.'),
      endsAt,
      status,
      formerEndsAt: time('Fim do acesso antes; nulo: sem acesso.').nullable(),
      formerStatus: oneOf(['active', 'expired', 'cancelled'], 'A situação antes.'),
    },
    { of: ({ before }) => ({ formerEndsAt: before.endsAt, formerStatus: before.status }) },
  ),
}
