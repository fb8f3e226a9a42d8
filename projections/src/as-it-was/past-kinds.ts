import { ignoredNotes } from '@prosa/contracts/delivery-notes'
import type { ServiceStatus } from '@prosa/contracts/http/live-chat'
import type { PastRecordKind } from '@prosa/contracts/http/past/past-records'
import { type Category, streamName } from '@prosa/contracts/streams'
import { answerTypeNames } from '@prosa/contracts/values/answers/answer-type'
import type { Projection } from '@prosa/kernel/consumers/projections/projection'
import type { Stored } from '@prosa/kernel/event-store/codec'
import type { Pool } from 'pg'
import { account } from '../account/projection.ts'
import { company } from '../company/projection.ts'
import { connections } from '../connections/projection.ts'
import { contactFields } from '../contact-details/fields.ts'
import { contactList } from '../contact-list/projection.ts'
import { flowFolders } from '../flow-folders/projection.ts'
import { flowRuns } from '../flow-runs/projection.ts'
import type { FlowRunRow } from '../flow-runs/table.ts'
import { flows } from '../flows/projection.ts'
import { runEnds } from '../history/sentences/automation.ts'
import { colourNames } from '../history/sentences/contacts.ts'
import { planFieldsOf } from '../history/sentences/plan-fields.ts'
import { dayOf, momentOf, reais, roleNames, statusNames, transactionStatusNames } from '../history/sentences/words.ts'
import { type LabelRow, labels } from '../labels/projection.ts'
import { foldEvents } from '../moments/read-up-to.ts'
import { openingHours } from '../opening-hours/projection.ts'
import { plans } from '../plans/projection.ts'
import { type QuickReplyRow, quickReplies } from '../quick-replies/projection.ts'
import { transactions } from '../transactions/projection.ts'
import { webhookDeliveries } from '../webhook-deliveries/projection.ts'
import type { DeliveryOutcome, WebhookDeliveryRow } from '../webhook-deliveries/table.ts'
import { findStreamsOfPart } from './queries.ts'

/** 'Telefone' → '5511988776655' */
type Values = Readonly<Record<string, string | null>>

const serviceNames: Readonly<Record<ServiceStatus, string>> = {
  waiting: 'Aguardando',
  attending: 'Atendendo',
  resolved: 'Resolvida',
}
const lineNames = {
  connecting: 'Conectando',
  qr_code: 'Esperando o QR Code',
  qr_ready: 'Esperando o QR Code',
  authenticated: 'Ligando',
  connected: 'Conectada',
  disconnected: 'Desconectada',
  inactive: 'Inativa',
  error: 'Com erro',
} as const
const weekdays = ['Domingo', 'Segunda', 'Terça', 'Quarta', 'Quinta', 'Sexta', 'Sábado']

const yesOrNo = (value: boolean) => (value ? 'sim' : 'não')
const orNone = (moment: string | null) => (moment === null ? null : momentOf(moment))

/** How one kind of record is read and shown. */
export interface PastKind {
  /** Its own streams. */
  streams: (pool: Pool, id: string) => readonly string[] | Promise<readonly string[]>
  /** Of streams that hold many: events of this one alone, as `label:<id>`. */
  part?: (id: string) => string
  /** Without values: there was none. */
  values: (events: readonly Stored[], id: string) => Values
}

const ofCategories =
  (...categories: readonly Category[]) =>
  (_pool: Pool, id: string) =>
    categories.map((category) => streamName(category, id))

const none: Values = {}

/** The row of the record itself; others of its streams are of merges. */
const one = <Row extends object>(
  projection: Projection<Row>,
  streams: PastKind['streams'],
  values: (row: Row) => Values,
): PastKind => ({
  streams,
  values: (events, id) => {
    const row = foldEvents(projection, events).get(id)
    return row ? values(row) : none
  },
})

const every = <Row extends { sortName: string }>(
  projection: Projection<Row>,
  category: Category,
  shown: (row: Row) => readonly [label: string, value: string],
): PastKind => ({
  streams: ofCategories(category),
  values: (events) =>
    Object.fromEntries(
      [...foldEvents(projection, events).values()]
        .toSorted((one, other) => (one.sortName < other.sortName ? -1 : 1))
        .map(shown),
    ),
})

/** One of many in a stream. */
const partOfStream = (word: 'run' | 'label' | 'quickReply', category: Category, kind: PastKind): PastKind => ({
  ...kind,
  streams: (pool, id) => findStreamsOfPart(pool, `${word}:${id}`, category),
  part: (id) => `${word}:${id}`,
})

const runState = ({ endedAt, reason, until }: FlowRunRow): string => {
  if (endedAt !== null) return reason === null ? 'Terminada' : `O fluxo ${runEnds[reason]}`
  return until === null ? 'Em andamento' : `Espera até ${momentOf(until)}`
}

const deliveryStates: Readonly<Record<WebhookDeliveryRow['status'], string>> = {
  success: 'Processado',
  error: 'Com erro',
  processing: 'Em processamento',
}
const deliveryOutcomes: Readonly<Record<DeliveryOutcome, string>> = {
  applied: 'aplicado',
  ignored: 'ignorado',
  unreadable: 'ilegível',
  parked: 'parado por um erro',
  released: 'liberado sem efeito',
}

const labelColumns = ({ name, colour }: LabelRow): Values => ({ Nome: name, Cor: colourNames[colour] })
const replyText = ({ content, isActive }: QuickReplyRow) => (isActive ? content : `${content} (desligada)`)

/** Folded by today's handlers from a record's own streams: the one way to the past of any record (docs/decisions/0102). */
export const pastKinds: Readonly<Record<PastRecordKind, PastKind>> = {
  contact: one(contactList, ofCategories('contact', 'chat', 'flowRun'), (row) => ({
    Nome: row.name,
    'Nome no WhatsApp': row.whatsappName,
    'Nome dado por vocês': row.givenName,
    Telefone: row.phone,
    Situação: row.absorbedInto === null ? serviceNames[row.serviceStatus] : 'Unido a outro contato',
    'Aguarda desde': orNone(row.waitingSince),
    'Pediu uma pessoa': orNone(row.personAskedAt),
    'Com o robô desde': orNone(row.botSince),
    'Última atividade': momentOf(row.lastActivity),
    'Mensagens não lidas': String(row.unreadCount),
    'Última mensagem': row.lastMessageLine,
    'Contatos unidos': row.merged.length === 0 ? null : String(row.merged.length),
    'Robô pausado': row.botPause === null ? null : `desde ${momentOf(row.botPause.since)}`,
    'Possível robô': row.suspectedRobot === null ? null : `desde ${momentOf(row.suspectedRobot.at)}`,
  })),
  connection: one(connections, ofCategories('connection'), (row) => ({
    Nome: row.isRemoved ? 'conexão removida' : row.name,
    Situação: lineNames[row.status],
    Desde: momentOf(row.statusSince),
    Motivo: row.statusReason,
    Número: row.phone,
  })),
  flow: one(flows, ofCategories('flow'), (row) => ({
    Nome: row.name,
    Ligado: yesOrNo(row.isOn),
    'Versão publicada': row.version === null ? 'nenhuma' : String(row.version),
    'Rascunho salvo': `${row.revision} ${row.revision === 1 ? 'vez' : 'vezes'}`,
    Blocos: String(row.nodeCount),
    'Última mudança': momentOf(row.updatedAt),
  })),
  folder: one(flowFolders, ofCategories('flowFolder'), ({ name, description }) => ({
    Nome: name,
    Descrição: description,
  })),
  run: partOfStream(
    'run',
    'flowRun',
    one(flowRuns, ofCategories('flowRun'), (row) => ({
      Situação: runState(row),
      'Versão do fluxo': String(row.version),
      Começou: momentOf(row.startedAt),
      Terminou: orNone(row.endedAt),
    })),
  ),
  label: partOfStream('label', 'label', one(labels, ofCategories('label'), labelColumns)),
  quickReply: partOfStream(
    'quickReply',
    'quickReply',
    one(quickReplies, ofCategories('quickReply'), (row) => ({
      Atalho: `/${row.shortcut}`,
      Texto: row.content,
      Ligada: yesOrNo(row.isActive),
    })),
  ),
  quickReplies: every(quickReplies, 'quickReply', (row) => [`/${row.shortcut}`, replyText(row)]),
  labels: every(labels, 'label', ({ name, colour }) => [name, colourNames[colour]]),
  fields: every(contactFields, 'contactField', ({ name, type }) => [name, answerTypeNames[type]]),
  company: one(company, ofCategories('company'), (row) => ({
    Nome: row.name,
    'E-mail': row.email,
    Telefone: row.phone,
    Site: row.website,
    Endereço: row.address,
    Notificações: yesOrNo(row.notifications),
  })),
  openingHours: one(openingHours, ofCategories('openingHours'), (row) => ({
    'Fuso horário': row.timeZone,
    ...Object.fromEntries(
      row.week.map((periods, day) => [
        weekdays[day] ?? '',
        periods.length === 0 ? 'fechado' : periods.map(({ from, to }) => `${from}–${to}`).join(', '),
      ]),
    ),
    Feriados: String(row.holidays.length),
    'Resposta fora do horário': row.isReplyOn ? row.replyText : 'desligada',
  })),
  access: one(account, ofCategories('user', 'subscription'), (row) => ({
    Nome: `${row.firstName} ${row.lastName}`,
    'E-mail': row.email,
    'E-mail confirmado': yesOrNo(row.isEmailConfirmed),
    Situação: row.isTrial && row.subscriptionStatus === 'active' ? 'Em teste' : statusNames[row.subscriptionStatus],
    'Acesso até': row.subscriptionEnd === null ? null : dayOf(row.subscriptionEnd),
    Papéis: row.roles.length === 0 ? null : row.roles.map((role) => roleNames[role]).join(', '),
  })),
  order: one(transactions, ofCategories('order'), (row) => ({
    Pedido: row.transactionId,
    Situação: transactionStatusNames[row.status],
    Valor: row.amountCents === null ? null : reais(row.amountCents),
    Produto: row.productName,
    Plano: row.lacksPlan ? 'sem plano' : row.planName,
    Comprador: row.buyerName,
    'E-mail do comprador': row.buyerEmail,
    'Data na Kiwify': dayOf(row.createdAt),
    'De uma conta': yesOrNo(row.tenant !== null),
    'Nas listas': yesOrNo(!row.isHidden),
  })),
  plan: one(plans, ofCategories('plan'), ({ id: _, place: __, isOffered, ...offer }) => ({
    ...planFieldsOf(offer),
    Oferecido: yesOrNo(isOffered),
  })),
  delivery: one(webhookDeliveries, ofCategories('webhookDelivery'), (row) => ({
    Situação: deliveryStates[row.status],
    Resultado: row.outcome === null ? null : deliveryOutcomes[row.outcome],
    Motivo: row.reason === null ? null : ignoredNotes[row.reason],
    Recebido: momentOf(row.receivedAt),
    Processado: orNone(row.processedAt),
    'Vezes que chegou': String(row.repeated + 1),
    Conteúdo: row.hasExpired ? 'apagado no prazo' : 'guardado',
  })),
}
