import type { ServiceStatus } from '@prosa/contracts/http/live-chat'
import type { PastRecordKind } from '@prosa/contracts/http/past/moments'
import type { Projection } from '@prosa/kernel/consumers/projections/projection'
import type { Stored } from '@prosa/kernel/event-store/codec'
import { account } from '../account/projection.ts'
import { company } from '../company/projection.ts'
import { connections } from '../connections/projection.ts'
import { contactList } from '../contact-list/projection.ts'
import { flows } from '../flows/projection.ts'
import { dayOf, momentOf, statusNames } from '../history/sentences/words.ts'
import { foldEvents } from '../moments/read-up-to.ts'
import { openingHours } from '../opening-hours/projection.ts'
import { quickReplies } from '../quick-replies/projection.ts'

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

interface Shown {
  streams: (id: string) => readonly string[]
  values: (events: readonly Stored[]) => Values
}

const shown = <Row extends object>(
  projection: Projection<Row>,
  categories: readonly string[],
  values: (rows: readonly Row[]) => Values,
): Shown => ({
  streams: (id) => categories.map((category) => `${category}-${id}`),
  values: (events) => values([...foldEvents(projection, events).values()]),
})

const one =
  <Row>(values: (row: Row) => Values) =>
  (rows: readonly Row[]): Values =>
    rows[0] === undefined ? {} : values(rows[0])

/** Folded by today's handlers from a record's own streams; a record that was not there has no values. */
export const recordsShown: Readonly<Record<PastRecordKind, Shown>> = {
  contact: shown(
    contactList,
    ['contact', 'chat', 'flowRun'],
    one((row) => ({
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
  ),
  connection: shown(
    connections,
    ['connection'],
    one((row) => ({
      Nome: row.isRemoved ? 'conexão removida' : row.name,
      Situação: lineNames[row.status],
      Desde: momentOf(row.statusSince),
      Motivo: row.statusReason,
      Número: row.phone,
    })),
  ),
  flow: shown(
    flows,
    ['flow'],
    one((row) => ({
      Nome: row.name,
      Ligado: yesOrNo(row.isOn),
      'Versão publicada': row.version === null ? 'nenhuma' : String(row.version),
      'Rascunho salvo': `${row.revision} ${row.revision === 1 ? 'vez' : 'vezes'}`,
      Blocos: String(row.nodeCount),
      'Última mudança': momentOf(row.updatedAt),
    })),
  ),
  quickReplies: shown(quickReplies, ['quickReply'], (rows) =>
    Object.fromEntries(
      rows
        .toSorted((a, b) => (a.sortName < b.sortName ? -1 : 1))
        .map(({ shortcut, content, isActive }) => [`/${shortcut}`, isActive ? content : `${content} (desligada)`]),
    ),
  ),
  company: shown(
    company,
    ['company'],
    one((row) => ({
      Nome: row.name,
      'E-mail': row.email,
      Telefone: row.phone,
      Site: row.website,
      Endereço: row.address,
      Notificações: yesOrNo(row.notifications),
    })),
  ),
  openingHours: shown(
    openingHours,
    ['openingHours'],
    one((row) => ({
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
  ),
  access: shown(
    account,
    ['user', 'subscription'],
    one((row) => ({
      Nome: `${row.firstName} ${row.lastName}`,
      'E-mail': row.email,
      'E-mail confirmado': yesOrNo(row.isEmailConfirmed),
      Situação: row.isTrial && row.subscriptionStatus === 'active' ? 'Em teste' : statusNames[row.subscriptionStatus],
      'Acesso até': row.subscriptionEnd === null ? null : dayOf(row.subscriptionEnd),
    })),
  ),
}
