import type { EventType } from '@prosa/contracts/events/all-events'
import type { MessageStatus } from '@prosa/contracts/http/live-chat'
import { type Category, parseStream } from '@prosa/contracts/streams'
import { shownAnswer } from '@prosa/contracts/values/answers/read-answer'
import type { OrderEventKind } from '@prosa/contracts/values/kiwify'
import { transactionStatusOf } from '@prosa/contracts/values/kiwify'
import { formatPhone } from '@prosa/contracts/values/phone'
import { handlersOf, type Projection } from '@prosa/kernel/consumers/projections/projection'
import type { Stored } from '@prosa/kernel/event-store/codec'
import { accessOf } from '@prosa/product/access/access'
import { evolveSubscription, noSubscription, type Subscription } from '@prosa/product/access/subscription-state'
import { connections } from '../connections/projection.ts'
import { contactList } from '../contact-list/projection.ts'
import { furtherStatus } from '../message-status.ts'
import { planFieldsOf } from './sentences/plan-fields.ts'
import {
  connectionStatusNames,
  dayOf,
  momentOf,
  quoted,
  reais,
  roleNames,
  serviceStatusNames,
  statusNames,
  tickNames,
  transactionStatusNames,
} from './sentences/words.ts'
import { settingFolds } from './setting-values.ts'
import { bothFolds, changeFold, foldOf, ofPart, type Shown, type ValueFold } from './value-fold.ts'

/** Only events that name the row: merges read beside it, and change neither status nor names. */
const rowFold = <Row extends object>(projection: Projection<Row>, shown: (row: Row) => Shown): ValueFold =>
  foldOf<Row | undefined>(
    Object.keys(projection.on),
    undefined,
    (before, event) =>
      handlersOf(projection, event).reduce<Row | undefined>(
        (row, handler) => ('row' in handler ? handler.row(row, event, undefined) : row),
        before,
      ),
    (row) => (row ? shown(row) : {}),
  )

const person = ({ firstName, lastName }: { firstName: string; lastName: string }) => ({
  Nome: `${firstName} ${lastName}`,
})

const rolesOf = ({ Papéis: shown = 'nenhum' }: Shown) => (shown === 'nenhum' ? [] : shown.split(', '))
const withRoles = (roles: readonly string[]): Shown => ({ Papéis: roles.length === 0 ? 'nenhum' : roles.join(', ') })

const userFold = () =>
  changeFold({
    UserRegistered: ({ data }) => ({
      ...person(data),
      'E-mail': data.email,
      'E-mail confirmado': 'não',
      Papéis: 'nenhum',
      'Termos aceitos': 'nenhum',
    }),
    TermsAccepted: ({ data: { version } }) => ({ 'Termos aceitos': version.split('-').reverse().join('/') }),
    UserRenamed: ({ data }) => person(data),
    EmailChanged: ({ data }) => ({ 'E-mail': data.email, 'E-mail confirmado': 'não' }),
    EmailConfirmed: () => ({ 'E-mail confirmado': 'sim' }),
    RoleGranted: ({ data: { role } }, before) =>
      withRoles([...rolesOf(before).filter((each) => each !== roleNames[role]), roleNames[role]]),
    RoleRevoked: ({ data: { role } }, before) => withRoles(rolesOf(before).filter((each) => each !== roleNames[role])),
    UserErased: () => ({ Conta: 'apagada' }),
  })

/** The event's status counts for older events, whose rule may have been another one. */
const accessShown = (state: Subscription, stated: string): Shown => {
  const access = accessOf(state)
  if (state.endsAt === null && !state.hasEnded) return {}
  const isOver = state.hasEnded || state.endsAt === null
  const status = access.endsAt === state.endsAt && access.by === 'trial' ? 'Em teste' : stated
  return {
    Situação: isOver ? statusNames.expired : status,
    'Acesso até': state.endsAt === null ? 'sem acesso' : dayOf(state.endsAt),
  }
}

const evolvedAccess = (state: Subscription, event: Stored): Subscription => {
  const evolve = evolveSubscription[event.type as keyof typeof evolveSubscription] as (
    state: Subscription,
    data: unknown,
  ) => Subscription
  return evolve(state, event.data)
}

const subscriptionFold = () =>
  foldOf(
    Object.keys(evolveSubscription),
    { state: noSubscription, stated: statusNames.active },
    ({ state, stated }, event) => {
      const { status } = event.data as { status?: keyof typeof statusNames }
      return { state: evolvedAccess(state, event), stated: status === undefined ? stated : statusNames[status] }
    },
    ({ state, stated }) => accessShown(state, stated),
  )

/** Which limits count; after an end with a tolerance they change when that has passed, too. */
export const limitsFold = () =>
  foldOf(Object.keys(evolveSubscription), noSubscription, evolvedAccess, ({ endsAt, hasEnded }) => ({
    Limites: hasEnded ? 'os de quem não paga' : endsAt === null ? undefined : 'os de quem tem acesso',
  }))

const orderFold = () =>
  foldOf<{ kinds: readonly OrderEventKind[]; shown: Shown }>(
    ['OrderReported', 'OrderAssigned', 'OrderPlanAssigned', 'OrderHidden', 'OrderShown', 'OrderBuyerErased'],
    { kinds: [], shown: {} },
    ({ kinds, shown }, event) => {
      if (event.type === 'OrderReported') {
        const { kind, amountCents, buyerName, planName, occurredAt, accessUntil } = event.data
        const all = [...kinds, kind]
        return {
          kinds: all,
          shown: {
            ...shown,
            Situação: transactionStatusNames[transactionStatusOf(all)],
            Valor: shown.Valor ?? (amountCents === null ? undefined : reais(amountCents)),
            Comprador: shown.Comprador ?? buyerName ?? undefined,
            Plano: planName ?? shown.Plano,
            'Data na Kiwify': dayOf(occurredAt),
            'Acesso até, segundo a Kiwify':
              accessUntil === null ? shown['Acesso até, segundo a Kiwify'] : dayOf(accessUntil),
          },
        }
      }
      if (event.type === 'OrderPlanAssigned')
        return { kinds, shown: { ...shown, Plano: event.data.planName ?? `${event.data.accessDays} dias` } }
      if (event.type === 'OrderHidden') return { kinds, shown: { ...shown, 'Nas listas': 'não' } }
      if (event.type === 'OrderShown') return { kinds, shown: { ...shown, 'Nas listas': 'sim' } }
      if (event.type === 'OrderBuyerErased') return { kinds, shown: { ...shown, Comprador: undefined } }
      return { kinds, shown: { ...shown, 'Nas listas': shown['Nas listas'] ?? 'sim' } }
    },
    ({ shown }) => shown,
  )

const numbersOf = (ids: readonly string[]): string => {
  if (ids.length === 0) return 'todos'
  return ids.length === 1 ? 'um número' : `${ids.length} números`
}

const flowFold = () =>
  changeFold({
    FlowCreated: ({ data: { name } }) => ({ Nome: name, Situação: 'Rascunho' }),
    FlowRenamed: ({ data: { name } }) => ({ Nome: name }),
    FlowPublished: ({ data: { version, document } }) => ({
      Situação: 'Ativo',
      'Versão publicada': String(version),
      Números: numbersOf(document.settings.connectionIds),
    }),
    FlowTurnedOn: () => ({ Situação: 'Ativo' }),
    FlowTurnedOff: () => ({ Situação: 'Inativo' }),
    FlowDeleted: () => ({ Situação: 'Excluído' }),
  })

const planFold = () =>
  changeFold({
    PlanCreated: ({ data }) => ({ ...planFieldsOf(data), Oferecido: 'sim' }),
    PlanRevised: ({ data: { before: _, ...offer } }) => planFieldsOf(offer),
    PlanDeleted: () => ({ Oferecido: 'não' }),
  })

const attendants: readonly string[] = [
  'ConversationAccepted',
  'ConversationResumed',
  'ConversationReopened',
  'ConversationResolved',
]

/** Who attends, by id, and '' for nobody. */
export const attendantFold = (): ValueFold =>
  foldOf<string>(
    attendants,
    '',
    (before, event) => {
      if (event.type === 'ConversationAccepted' || event.type === 'ConversationResumed') return event.data.attendantId
      return attendants.includes(event.type) ? '' : before
    },
    (attendantId) => ({ 'Quem atende': attendantId }),
  )

/** Whether flows may start with a contact, as an attendant decided. */
export const botFold = (): ValueFold =>
  foldOf<Shown>(
    ['BotPaused', 'BotResumed'],
    {},
    (before, event) => {
      if (event.type === 'BotResumed') return { Robô: 'ativo' }
      if (event.type !== 'BotPaused') return before
      const { until } = event.data
      return { Robô: until === null ? 'pausado' : `pausado até ${momentOf(until)}` }
    },
    (shown) => shown,
  )

export const labelFold = (labelId: string): ValueFold =>
  foldOf<boolean | undefined>(
    ['ContactLabelled', 'ContactUnlabelled'],
    undefined,
    (before, event) => {
      if (!('labelId' in event.data) || event.data.labelId !== labelId) return before
      return event.type === 'ContactLabelled'
    },
    (isOn) => ({ Etiqueta: isOn === undefined ? undefined : isOn ? 'no contato' : 'fora do contato' }),
  )

const ticks: { [T in EventType]?: MessageStatus } = {
  MessageQueued: 'queued',
  MessageSentElsewhere: 'sent',
  MessageSent: 'sent',
  MessageDelivered: 'delivered',
  MessageRead: 'read',
  MessageFailed: 'failed',
}

const isRetry = (event: Stored) => event.type === 'MessageQueued' && event.data.isRetry === true

export const tickFold = (messageId: string): ValueFold =>
  foldOf<MessageStatus | null>(
    Object.keys(ticks),
    null,
    (before, event) => {
      const status = ticks[event.type]
      if (status === undefined || !('messageId' in event.data) || event.data.messageId !== messageId) return before
      return isRetry(event) ? 'queued' : furtherStatus(before, status)
    },
    (status) => ({ Tique: status === null ? undefined : tickNames[status] }),
  )

const fieldValueFold = () =>
  changeFold({
    ContactFieldSet: ({ data: { fieldId, type, value } }) => ({
      [ofPart('Campo', fieldId)]: value === null ? 'vazio' : quoted(shownAnswer(type, value)),
    }),
  })

const contactFold = () =>
  bothFolds(
    rowFold(contactList, ({ serviceStatus, name, phone, suspectedRobot }) => ({
      Situação: serviceStatusNames[serviceStatus],
      Nome: name === null ? 'sem nome' : quoted(name),
      Telefone: phone === null ? 'desconhecido' : formatPhone(phone),
      'Possível robô': suspectedRobot ? 'sim' : 'não',
    })),
    fieldValueFold(),
  )

const connectionFold = () =>
  rowFold(connections, ({ status, name, phone }) => ({
    Situação: connectionStatusNames[status],
    Nome: quoted(name),
    Número: phone === null ? 'nenhum' : formatPhone(phone),
  }))

const folds: Partial<Record<Category, () => ValueFold>> = {
  user: userFold,
  subscription: subscriptionFold,
  order: orderFold,
  plan: planFold,
  flow: flowFold,
  contact: contactFold,
  connection: connectionFold,
  ...settingFolds,
}

/** Undefined: streams whose records show no values. */
export const valueFoldOf = (stream: string): ValueFold | undefined =>
  folds[parseStream(stream).category as Category]?.()
