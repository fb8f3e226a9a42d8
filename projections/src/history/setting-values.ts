import { ignoredNotes, unreadableNote } from '@prosa/contracts/delivery-notes'
import type { Category } from '@prosa/contracts/streams'
import { answerTypeNames } from '@prosa/contracts/values/answers/answer-type'
import { kiwifyTriggers } from '@prosa/contracts/values/kiwify'
import type { Holiday, OpenInterval } from '@prosa/contracts/values/time/opening-hours'
import type { StoredOf } from '@prosa/kernel/event-store/codec'
import { colourNames } from './sentences/contacts.ts'
import { quoted } from './sentences/words.ts'
import { changeFold, ofPart, type Shown, type ValueFold } from './value-fold.ts'

const onOrOff = (isOn: boolean) => (isOn ? 'ligadas' : 'desligadas')

/** The values of one of many things in a stream. */
const thing = (id: string, values: Shown): Shown =>
  Object.fromEntries(Object.entries(values).map(([label, value]) => [ofPart(label, id), value]))

const labelFold = () =>
  changeFold({
    LabelCreated: ({ data }) => thing(data.labelId, { Nome: quoted(data.name), Cor: colourNames[data.colour] }),
    LabelRenamed: ({ data }) => thing(data.labelId, { Nome: quoted(data.name) }),
    LabelRecoloured: ({ data }) => thing(data.labelId, { Cor: colourNames[data.colour] }),
    LabelDeleted: ({ data }) => thing(data.labelId, { Nome: 'excluída', Cor: undefined }),
  })

const replyOf = ({ data }: StoredOf<'QuickReplyAdded' | 'QuickReplyChanged'>): Shown =>
  thing(data.quickReplyId, {
    Atalho: quoted(`/${data.shortcut}`),
    Conteúdo: quoted(data.content),
    Situação: data.isActive ? 'ativa' : 'inativa',
  })

const quickReplyFold = () =>
  changeFold({
    QuickReplyAdded: replyOf,
    QuickReplyChanged: replyOf,
    QuickReplyRemoved: ({ data }) =>
      thing(data.quickReplyId, { Atalho: 'apagado', Conteúdo: undefined, Situação: undefined }),
  })

const contactFieldFold = () =>
  changeFold({
    ContactFieldCreated: ({ data }) =>
      thing(data.fieldId, { Nome: quoted(data.name), Tipo: answerTypeNames[data.type] }),
    ContactFieldRenamed: ({ data }) => thing(data.fieldId, { Nome: quoted(data.name) }),
    ContactFieldDeleted: ({ data }) => thing(data.fieldId, { Nome: 'excluído', Tipo: undefined }),
  })

const weekdays = ['Domingo', 'Segunda', 'Terça', 'Quarta', 'Quinta', 'Sexta', 'Sábado']

const intervalsOf = (intervals: readonly OpenInterval[]): string =>
  intervals.length === 0 ? 'fechado' : intervals.map(({ from, to }) => `${from} às ${to}`).join(' e ')

const holidayOf = ({ date, name, intervals }: Holiday): string =>
  `${date.split('-').reverse().join('/')} ${quoted(name)}: ${intervalsOf(intervals)}`

const openingHoursFold = () =>
  changeFold({
    OpeningHoursSet: ({ data: { timeZone, week, holidays } }) => ({
      ...Object.fromEntries(week.map((intervals, index) => [weekdays[index] ?? '', intervalsOf(intervals)])),
      'Fuso horário': timeZone,
      Feriados: holidays.length === 0 ? 'nenhum' : holidays.map(holidayOf).join('; '),
    }),
    OutOfHoursReplyTurnedOn: () => ({ 'Resposta fora do horário': 'ligada' }),
    OutOfHoursReplyTurnedOff: () => ({ 'Resposta fora do horário': 'desligada' }),
    OutOfHoursReplyWritten: ({ data }) => ({ 'Texto da resposta': quoted(data.text) }),
  })

const orNone = (text: string, none = 'nenhum') => (text === '' ? none : text)

const companyFold = () =>
  changeFold({
    CompanyDescribed: ({ data: { name, email, phone, website, address } }) => ({
      Nome: quoted(name),
      'E-mail': orNone(email),
      Telefone: orNone(phone),
      Site: orNone(website),
      Endereço: orNone(address),
    }),
    CompanyChoicesMade: ({ data: { notifications, analytics } }) => ({
      Notificações: onOrOff(notifications),
      Estatísticas: onOrOff(analytics),
    }),
  })

const defaultFlowFold = () =>
  changeFold({ DefaultFlowChosen: ({ data: { flowId } }) => ({ 'Fluxo padrão': flowId ?? '' }) })

const flowOrderFold = () =>
  changeFold({ FlowOrderSet: ({ data: { flowIds } }) => ({ 'Ordem dos fluxos': flowIds.join(' ') }) })

const folderOf = ({ data: { name, description } }: StoredOf<'FlowFolderCreated' | 'FlowFolderDescribed'>): Shown => ({
  Nome: quoted(name),
  Descrição: orNone(description, 'nenhuma'),
})

const flowFolderFold = () =>
  changeFold({
    FlowFolderCreated: folderOf,
    FlowFolderDescribed: folderOf,
    FlowFolderDeleted: () => ({ Nome: 'excluída', Descrição: undefined }),
  })

const supportRequestFold = () =>
  changeFold({
    SupportRequested: () => ({ Situação: 'Aberta' }),
    SupportRequestAnswered: () => ({ Situação: 'Respondida' }),
  })

/** Without the address, which may hold a secret of the receiver. */
const webhookOf = ({ data }: StoredOf<'WebhookAdded' | 'WebhookRevised'>): Shown =>
  thing(data.webhookId, {
    Nome: quoted(data.name),
    Eventos: data.types.join(', '),
    'Dados pessoais': data.withPersonal ? 'com' : 'sem',
  })

const webhookStatus = ({ data }: { data: { webhookId: string } }, status: string) =>
  thing(data.webhookId, { Situação: status })

const webhookFold = () =>
  changeFold({
    WebhookAdded: (event) => ({ ...webhookOf(event), ...webhookStatus(event, 'Ativo') }),
    WebhookRevised: webhookOf,
    WebhookPaused: (event) => webhookStatus(event, 'Pausado'),
    WebhookResumed: (event) => webhookStatus(event, 'Ativo'),
    WebhookDisabled: (event) => webhookStatus(event, 'Desativado'),
    WebhookRemoved: (event) => webhookStatus(event, 'Excluído'),
  })

const deliveryFold = () =>
  changeFold({
    DeliveryReceived: () => ({ Situação: 'Recebido' }),
    DeliveryApplied: ({ data: { kind } }) => ({ Situação: `Aplicado: ${kiwifyTriggers[kind]}` }),
    DeliveryIgnored: ({ data: { reason } }) => ({ Situação: `Sem efeito. ${ignoredNotes[reason]}` }),
    DeliveryUnreadable: ({ data: { field } }) => ({ Situação: `Ilegível. ${unreadableNote(field)}` }),
  })

const kiwifySubscriptionFold = () =>
  changeFold({
    SubscriptionOrderSeen: (_, before) => ({ Situação: before.Situação ?? 'Em cobrança' }),
    SubscriberRemembered: ({ data: { userId } }) => ({ Conta: userId }),
    SubscriptionCancelled: () => ({ Situação: 'Cancelada: nada mais será cobrado' }),
  })

/** What an account sets, and what Kiwify reports beside orders. */
export const settingFolds = {
  label: labelFold,
  quickReply: quickReplyFold,
  contactField: contactFieldFold,
  openingHours: openingHoursFold,
  company: companyFold,
  defaultFlow: defaultFlowFold,
  flowOrder: flowOrderFold,
  flowFolder: flowFolderFold,
  supportRequest: supportRequestFold,
  webhook: webhookFold,
  webhookDelivery: deliveryFold,
  kiwifySubscription: kiwifySubscriptionFold,
} satisfies Partial<Record<Category, () => ValueFold>>
