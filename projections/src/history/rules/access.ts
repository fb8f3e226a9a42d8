import type { billingEvents } from '@prosa/contracts/events/billing'
import type { Instant } from '@prosa/contracts/values/instant'
import { payingKinds } from '@prosa/contracts/values/kiwify'
import { later } from '@prosa/kernel/clock'
import type { Stored } from '@prosa/kernel/event-store/codec'
import { accessOf } from '@prosa/product/access/access'
import { lacksPlan } from '@prosa/product/access/order-plan'
import { evolveOrder, isBack, isPaid, noOrder, type Order } from '@prosa/product/access/order-state'
import { evolveSubscription, noSubscription, type Subscription } from '@prosa/product/access/subscription-state'
import type { Names } from '../sentences/sentence.ts'
import { dayOf, days, momentOf, quoted, statusNames } from '../sentences/words.ts'
import { erasedRule } from './others.ts'
import { always, type Facts, type Rules } from './rule.ts'

type Evolve<S> = Readonly<Record<string, (state: S, data: never) => S>>

const folded = <S>(evolve: Evolve<S>, initial: S, events: readonly Stored[]): S =>
  events.reduce((state, { type, data }) => {
    const change = Object.hasOwn(evolve, type) ? (evolve[type] as (state: S, data: unknown) => S) : undefined
    return change ? change(state, data) : state
  }, initial)

const subscriptionFrom = (events: readonly Stored[]): Subscription =>
  folded(evolveSubscription as Evolve<Subscription>, noSubscription, events)
const orderFrom = (events: readonly Stored[]): Order => folded(evolveOrder as Evolve<Order>, noOrder, events)

const orderStream = (orderId: string) => `order-${orderId}`

const maxInputs = 6
const dayMs = 24 * 3600 * 1000

/** Each thing that access could follow from, with its own end. */
const inputsOf = (
  { trialEndsAt, isTrialWithheld, grants, removal, extendedTo }: Subscription,
  names: Names,
): string[] => {
  const trialOf = (endsAt: Instant) =>
    `período de teste: ${isTrialWithheld ? 'já usado em outra conta' : dayOf(endsAt)}`
  const orders = [...grants].map(([id, { until }]) => {
    if (removal?.grantsThen.has(id)) return `pedido ${names.order(id)}: não conta, é de antes da remoção`
    return `pedido ${names.order(id)}: ${until === null ? 'devolvido' : dayOf(until)}`
  })
  const inputs = [
    ...(trialEndsAt !== null && removal === null ? [trialOf(trialEndsAt)] : []),
    ...(removal === null ? [] : [`administração: acesso removido em ${dayOf(removal.endsAt)}`]),
    ...(extendedTo === null ? [] : [`administração: ${dayOf(extendedTo)}`]),
    ...orders,
  ]
  const others = inputs.length - maxInputs
  return others > 0 ? [...inputs.slice(0, maxInputs), `e mais ${others}`] : inputs
}

const latestOf = (state: Subscription, names: Names): string => {
  const inputs = inputsOf(state, names)
  const { endsAt } = state
  if (inputs.length === 0) return 'nada dá acesso'
  return `${inputs.join('; ')}; vale o mais tardio: ${endsAt === null ? 'nenhum' : dayOf(endsAt)}`
}

interface Payment {
  paidAt: Instant
  accessUntil: Instant | null
  count: number
  plan: string | null
}

/** As each report has it, and as an administrator's choice of a plan makes of it. */
const paymentsOf = (events: readonly Stored[], { plan: { assigned } }: Order): Payment[] =>
  events.flatMap((event) => {
    if (event.type !== 'OrderReported' || !payingKinds.includes(event.data.kind)) return []
    const { occurredAt: paidAt, accessUntil, accessDays, planName = null, isWithoutPlan } = event.data
    const payment = { paidAt, accessUntil }
    return [
      ...(isWithoutPlan ? [] : [{ ...payment, count: accessDays, plan: planName }]),
      ...(assigned ? [{ ...payment, count: assigned.accessDays, plan: assigned.planName }] : []),
    ]
  })

const endOf = ({ paidAt, accessUntil, count }: Payment): number =>
  Math.max(Date.parse(later(paidAt, count * dayMs)), accessUntil === null ? 0 : Date.parse(accessUntil))

/** 'dias do plano: 23/12/2026 (…); Kiwify: 25/12/2026; vale o mais tardio: 25/12/2026'. */
const periodOf = (events: readonly Stored[], order: Order): string | null => {
  const { paidUntil } = order.plan
  if (paidUntil === null) return null
  const payment = paymentsOf(events, order).find((each) => endOf(each) === Date.parse(paidUntil))
  if (!payment) return `vale o mais tardio que já valia: ${dayOf(paidUntil)}`
  const { paidAt, accessUntil, count, plan } = payment
  const sum = `pago em ${dayOf(paidAt)} + ${days(count)}${plan ? ` de ${quoted(plan)}` : ''}`
  const kiwify = accessUntil === null ? 'não informou data' : dayOf(accessUntil)
  return `dias do plano: ${dayOf(later(paidAt, count * dayMs))} (${sum}); Kiwify: ${kiwify}; vale o mais tardio: ${dayOf(paidUntil)}`
}

const backWords = ({ kinds }: Order): string => (kinds.has('chargeback') ? 'contestado no cartão' : 'reembolsado')

const joined = (...clauses: (string | null | false)[]): string => clauses.filter(Boolean).join('; ')

const subscriptionRule = {
  streams: ({ stream }: { stream: string }) => [stream],
}

const stateAround = (event: Stored, facts: Facts): [before: Subscription, after: Subscription] => {
  const earlier = facts.earlier(event.stream)
  return [subscriptionFrom(earlier), subscriptionFrom([...earlier, event])]
}

/** Why another order, or one of the past, left access as it was. */
const unchanged = (before: Subscription, until: Instant | null): string | null => {
  if (before.endsAt === null || until === null || Date.parse(until) > Date.parse(before.endsAt)) return null
  const by = { trial: 'o período de teste', order: 'outro pedido', decision: 'o que a administração deu' }
  const access = accessOf(before)
  return `não mudou o acesso: ${by[access.by ?? 'order']} já vai até ${dayOf(before.endsAt)}`
}

const orderOf = ({ stream }: Stored, facts: Facts) => orderFrom(facts.earlier(stream))

export const accessRules = {
  DeliveryRepeated: { words: always('não mudou o acesso: os mesmos bytes são o mesmo aviso, e só o primeiro conta') },
  DeliveryIgnored: {
    words: ({ data: { reason } }) =>
      reason === 'test_button'
        ? 'não mudou o acesso: o botão de teste da Kiwify envia um pedido inventado'
        : 'não mudou o acesso: só um aviso de um pedido que o Prosa conhece muda alguma coisa',
  },
  DeliveryUnreadable: { words: always('não mudou o acesso: o que não se lê inteiro não é aplicado em parte') },
  DeliveryReprocessed: { words: always('um aviso processado de novo muda só o que ainda não valia') },

  OrderReported: {
    streams: ({ stream }) => [stream],
    words: (event, facts) => {
      const before = orderOf(event, facts)
      const events = [...facts.earlier(event.stream), event]
      const after = orderFrom(events)
      const { kind } = event.data
      if (payingKinds.includes(kind)) {
        if (isBack(before)) return `não mudou o acesso: o pedido já foi ${backWords(before)}`
        if (lacksPlan(after.plan)) return 'não dá acesso: nenhum plano tem o produto; escolha o plano em Transações'
        return joined(
          isPaid(before) &&
            before.plan.paidUntil === after.plan.paidUntil &&
            'não mudou o acesso: o pedido já estava pago',
          periodOf(events, after),
        )
      }
      if (kind === 'order_refunded' || kind === 'chargeback')
        return joined(
          isPaid(before) ? null : 'não mudou o acesso: o pedido não tinha sido pago',
          'um reembolso ou chargeback vale mais que a aprovação, em qualquer ordem de chegada',
        )
      if (kind === 'subscription_canceled') return 'nada mais será cobrado; o que está pago vale até o fim'
      if (kind === 'subscription_late') return 'não mudou o acesso: o que já foi pago vale até o fim'
      return 'não mudou o acesso: nada foi pago'
    },
  },
  OrderDeliveryAttached: {
    streams: ({ stream }) => [stream],
    words: (event, facts) => {
      const order = orderOf(event, facts)
      return isBack(order)
        ? `não mudou o acesso: o pedido já foi ${backWords(order)}`
        : 'não mudou o acesso: o Prosa já sabia o que este aviso traz'
    },
  },
  OrderAssigned: {
    words: always(
      'vale a primeira que se conhece: decisão da administração, link de compra, assinatura, e-mail confirmado',
    ),
  },
  OrderPlanAssigned: {
    streams: ({ stream }) => [stream],
    words: (event, facts) => {
      const events = [...facts.earlier(event.stream), event]
      return periodOf(events, orderFrom(events))
    },
  },
  OrderHidden: { words: always('não mudou o acesso: só listas e somas deixam de contar o pedido') },
  OrderShown: { words: always('não mudou o acesso: só listas e somas voltam a contar o pedido') },
  PurchaseWaiting: { words: always('não mudou o acesso: nenhuma conta confirmou o e-mail da compra') },
  EntitlementClaimed: { words: always('o que se compra com um e-mail é de quem prova que o lê') },
  EntitlementReleased: { words: always('o que já foi entregue à conta fica com ela') },
  PlanRevised: { words: always('pedidos que já chegaram ficam com os dias que tinham') },
  PlanDeleted: { words: always('o acesso já pago não muda') },
  ErasedBuyerCharged: { words: always('quem foi apagado não devia mais ser cobrado') },

  TrialStarted: {
    ...subscriptionRule,
    words: (event, facts, names) => {
      const length = Math.round((Date.parse(event.data.endsAt) - Date.parse(event.metadata.recordedAt)) / dayMs)
      const [, after] = stateAround(event, facts)
      const given =
        length > 0 ? `${days(length)} de teste a partir do cadastro, em ${dayOf(event.metadata.recordedAt)}` : null
      return joined(given, after.grants.size > 0 && latestOf(after, names))
    },
  },
  TrialWithheld: {
    ...subscriptionRule,
    words: (event, facts, names) =>
      `um e-mail tem um só período de teste; ${latestOf(stateAround(event, facts)[1], names)}`,
  },
  TrialEnded: {
    ...subscriptionRule,
    words: (event, facts, names) => ended(event, facts, names),
  },
  AccessEnded: {
    ...subscriptionRule,
    words: (event, facts, names) => ended(event, facts, names),
  },
  AccessGranted: {
    streams: ({ stream, data }) => [stream, orderStream(data.orderId)],
    words: (event, facts, names) => {
      const [before, after] = stateAround(event, facts)
      const events = facts.earlier(orderStream(event.data.orderId))
      const order = orderFrom(events)
      const reported = order.plan.paidUntil === event.data.until ? periodOf(events, order) : null
      const { endsAt } = event.data
      const isSame = before.endsAt !== null && before.endsAt === endsAt
      return joined(reported, isSame && unchanged(before, event.data.until), latestOf(after, names))
    },
  },
  AccessRevoked: {
    ...subscriptionRule,
    words: (event, facts, names) => {
      const [before, after] = stateAround(event, facts)
      const why =
        event.data.cause === 'moved'
          ? 'um pedido conta para uma só conta'
          : 'um pedido devolvido não conta mais, ainda que chegue outra aprovação'
      const isSame = before.endsAt !== null && before.endsAt === event.data.endsAt
      return joined(why, isSame && 'não mudou o acesso: ele não vinha deste pedido', latestOf(after, names))
    },
  },
  AccessSet: {
    ...subscriptionRule,
    words: (event, facts, names) => {
      const inputs = inputsOf(subscriptionFrom(facts.earlier(event.stream)), names)
      return joined(
        'a decisão da administração vale mais que o que se sabia até então; um pagamento posterior, de data mais tardia, vale mais que ela',
        inputs.length > 0 && `sabia-se: ${inputs.join('; ')}`,
      )
    },
  },
  LimitWarned: {
    words: ({ data: { percent, used, limit } }) =>
      `${used} de ${limit} mensagens do mês: cada limite avisa uma vez por mês aos 80 % e uma aos 100 %; este é o de ${percent} %`,
  },
  OrderBuyerErased: { words: erasedRule },
  BuyerErased: { words: erasedRule },
  RenewalCancelled: {
    ...subscriptionRule,
    words: (event, facts) => {
      const [before] = stateAround(event, facts)
      const { status, endsAt } = accessOf(before)
      if (event.data.status === status)
        return `não mudou a situação (${statusNames[status].toLowerCase()}): o acesso não vem desta assinatura`
      return `o que está pago vale até o fim${endsAt === null ? '' : `: ${dayOf(endsAt)}`}`
    },
  },
} satisfies Rules<keyof typeof billingEvents>

const ended = (event: Stored, facts: Facts, names: Names): string => {
  const [before] = stateAround(event, facts)
  const passed = before.endsAt === null ? null : `o fim passou: ${momentOf(before.endsAt)}`
  return joined(passed, latestOf(before, names))
}
