import type {
  apiKeyEvents,
  dataExportEvents,
  operationsEvents,
  readModelRebuildEvents,
  streamExportEvents,
  tenantReadingEvents,
} from '@prosa/contracts/events/operations'
import type { webhookEvents } from '@prosa/contracts/events/webhooks'
import { parseStream } from '@prosa/contracts/streams'
import { keyScopeWords } from '@prosa/contracts/values/key-scopes'
import { readingPurposeNames } from '@prosa/contracts/values/reading-words'
import type { StoredOf } from '@prosa/kernel/event-store/codec'
import { always, type Names, type Sentences } from './sentence.ts'
import { quoted } from './words.ts'

const lists: Record<StoredOf<'TenantsRead'>['data']['list'], string> = {
  contacts: 'leu os contatos de todas as contas',
  messages: 'leu as mensagens de todas as contas',
  contacts_file: 'baixou os contatos de todas as contas',
  messages_file: 'baixou as mensagens de todas as contas',
  history: 'leu o histórico de todas as contas',
}

const reading: Record<StoredOf<'PersonalDataRead'>['data']['what'], string> = {
  users: 'leu a lista de usuários',
  users_file: 'baixou a lista de usuários',
  contacts: lists.contacts,
  contacts_file: lists.contacts_file,
  messages: lists.messages,
  messages_file: lists.messages_file,
  projects: 'leu os projetos de todas as contas',
  transactions: 'leu as transações de todas as contas',
  transactions_file: 'baixou as transações de todas as contas',
  support_requests: 'leu as mensagens ao suporte',
  history: lists.history,
  history_file: 'baixou o histórico de todas as contas',
  receipt: 'abriu o recibo de uma compra',
  delivery: 'abriu um aviso da Kiwify',
  account_file: 'baixou uma cópia dos dados',
}

/** Of one record. */
const recordReading: Partial<Record<StoredOf<'PersonalDataRead'>['data']['what'], string>> = {
  history: 'leu o histórico',
  history_file: 'baixou o histórico',
  messages: 'leu as mensagens',
  receipt: 'abriu o recibo',
  delivery: 'abriu o conteúdo',
}

const readingOf = ({ what, record, tenantId }: StoredOf<'PersonalDataRead'>['data'], names: Names): string => {
  const verb = record === null ? undefined : recordReading[what]
  if (record === null || verb === undefined)
    return tenantId === null ? reading[what] : `${reading[what]} de ${names.user(tenantId)}`
  const isOfAccount = tenantId === null || record.startsWith('user:')
  return `${verb} ${names.ofRecord(record)}${isOfAccount ? '' : `, de ${names.user(tenantId)}`}`
}

type OperationsEventType =
  | keyof typeof operationsEvents
  | keyof typeof tenantReadingEvents
  | keyof typeof dataExportEvents
  | keyof typeof readModelRebuildEvents
  | keyof typeof apiKeyEvents
  | keyof typeof streamExportEvents

/** `dataExport-<account>:<export>` */
const exported = ({ stream }: { stream: string }) => parseStream(stream).id.split(':')[0] ?? ''

export const operationsSentences: Sentences<OperationsEventType> = {
  AccountExported: ({ data: { by }, ...event }, names) => ({
    text:
      by === 'user'
        ? `${names.actor} exportou todos os dados da própria conta`
        : `${names.actor} exportou todos os dados da conta de ${names.user(exported(event))}`,
    icon: 'security',
  }),
  ContactExported: ({ data: { contactId } }, names) => ({
    text: `${names.actor} exportou os dados do contato ${names.contact(contactId)}`,
    icon: 'security',
  }),
  ReadingPurposeStated: ({ data: { tenantId, purpose } }, { actor, user }) => ({
    text: `${actor} declarou por que precisa ver dados ${tenantId === null ? 'de todas as contas' : `de ${user(tenantId)}`}: ${readingPurposeNames[purpose].toLowerCase()}`,
    icon: 'reading',
  }),
  PersonalDataRead: ({ data }, names) => ({ text: `${names.actor} ${readingOf(data, names)}`, icon: 'reading' }),
  TenantsRead: ({ data: { list } }, { actor }) => ({ text: `${actor} ${lists[list]}`, icon: 'reading' }),
  WorkParked: ({ data: { worker, errorName, attempts } }) => ({
    text: `O trabalho ${quoted(worker)} parou depois de ${attempts} ${attempts === 1 ? 'tentativa' : 'tentativas'} (${errorName})`,
    icon: 'trouble',
  }),
  WorkRetried: (_, { actor }) => ({ text: `${actor} mandou tentar de novo o trabalho parado`, icon: 'work' }),
  WorkReleased: (_, { actor }) => ({ text: `${actor} desistiu do evento que fazia o trabalho parar`, icon: 'work' }),
  WorkResumed: always('work', 'O trabalho parado voltou a andar'),
  ApiKeyCreated: ({ data: { name, reach, withPersonal } }, { actor }) => ({
    text: `${actor} criou a chave ${quoted(name)} para ${reach === 'platform' ? 'os eventos de todas as contas, com pseudônimos' : withPersonal ? 'os próprios eventos, com dados pessoais' : 'os próprios eventos, sem dados pessoais'}`,
    icon: 'security',
  }),
  ApiKeyRevoked: always('security', 'Uma chave foi revogada'),
  StreamExported: ({ stream, data: { keyId, withPersonal, isLive, table } }, { actor }) => ({
    text: `${parseStream(stream).id.startsWith(`${keyId}:`) ? actor : 'Um programa com chave'} ${isLive ? 'acompanha' : 'leu'} ${table ? `a tabela ${quoted(table)}` : 'os eventos'}, ${withPersonal ? 'com' : 'sem'} dados pessoais`,
    icon: 'reading',
  }),
  ApiKeyUsed: ({ data: { scope } }, { actor }) => ({
    text: `${actor} usou a API para ${keyScopeWords[scope].may}`,
    icon: 'reading',
  }),
  ReadModelRebuildRequested: ({ data: { readModel } }, { actor }) => ({
    text: `${actor} mandou reconstruir a tabela de leitura ${quoted(readModel)}`,
    icon: 'work',
  }),
  ReadModelRebuilt: ({ data: { readModel } }) => ({
    text: `A tabela de leitura ${quoted(readModel)} foi reconstruída e tomou o lugar da anterior`,
    icon: 'work',
  }),
}

const causes: Record<StoredOf<'WebhookDisabled'>['data']['cause'], string> = {
  failing: 'o endereço não aceitou nada por um dia',
  gone: 'o endereço respondeu que não existe mais',
  backlog: 'entregas demais esperavam',
}

const what = ({ types, withPersonal }: StoredOf<'WebhookRevised'>['data']) =>
  `${types.length} ${types.length === 1 ? 'tipo de evento' : 'tipos de eventos'}, ${withPersonal ? 'com' : 'sem'} dados pessoais`

export const webhookSentences: Sentences<keyof typeof webhookEvents> = {
  WebhookAdded: ({ data }, { actor }) => ({
    text: `${actor} criou o webhook ${quoted(data.name)}: ${what(data)}`,
    icon: 'security',
  }),
  WebhookRevised: ({ data }, { actor }) => ({
    text: `${actor} mudou o webhook ${quoted(data.name)}: ${what(data)}`,
    icon: 'security',
  }),
  WebhookSecretRotated: (_, { actor }) => ({ text: `${actor} trocou o segredo de um webhook`, icon: 'security' }),
  WebhookPaused: (_, { actor }) => ({ text: `${actor} pausou um webhook`, icon: 'security' }),
  WebhookResumed: (_, { actor }) => ({ text: `${actor} religou um webhook`, icon: 'security' }),
  WebhookDisabled: ({ data: { cause } }) => ({
    text: `Um webhook foi desativado: ${causes[cause]}`,
    icon: 'trouble',
  }),
  WebhookRemoved: (_, { actor }) => ({ text: `${actor} excluiu um webhook`, icon: 'security' }),
  WebhookTestRequested: (_, { actor }) => ({ text: `${actor} enviou um teste a um webhook`, icon: 'security' }),
  WebhookRepeatRequested: ({ data: { eventId } }, { actor }) => ({
    text: `${actor} mandou repetir ${eventId === null ? 'todas as entregas que falharam' : 'uma entrega'} de um webhook`,
    icon: 'security',
  }),
}
