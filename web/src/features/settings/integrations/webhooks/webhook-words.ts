import type { PublishedStream } from '@prosa/contracts/http/streams'
import type { WebhookAttempt, WebhookCall, WebhookShown } from '@prosa/contracts/http/webhooks'
import type { WebhookDisabledCause, WebhookFailure } from '@prosa/contracts/values/webhook'
import { dayAndTime, plural } from '../../../../lib/format/format.ts'
import type { StatusTone } from '../../../../lib/format/status-tone.ts'

interface Words {
  tone: StatusTone
  label: string
}

export const webhookStatusWords: Record<WebhookShown['status'], Words> = {
  active: { tone: 'good', label: 'Ativo' },
  paused: { tone: 'info', label: 'Pausado' },
  disabled: { tone: 'bad', label: 'Desativado' },
}

export const disabledWords: Record<WebhookDisabledCause, string> = {
  failing: 'O endereço não aceitou nenhuma entrega por um dia.',
  gone: 'O endereço respondeu que não existe mais (410).',
  backlog: 'Mais de 50.000 entregas esperavam a sua vez.',
}

export const callStatusWords: Record<WebhookCall['status'], Words> = {
  delivered: { tone: 'good', label: 'Entregue' },
  waiting: { tone: 'busy', label: 'Na fila' },
  failed: { tone: 'bad', label: 'Falhou' },
}

const failureWords: Record<Exclude<WebhookFailure, 'status' | 'redirect'>, string> = {
  timeout: 'não respondeu em 10 segundos',
  unknown_host: 'o nome do endereço não existe',
  not_allowed: 'o nome leva a uma rede interna',
  refused: 'recusou a conexão',
  tls: 'o certificado não é válido',
  broken: 'a conexão caiu',
  unreadable: 'o evento não pôde ser lido',
  disabled: 'o webhook foi desativado antes da sua vez',
}

/** 'respondeu 500', 'não respondeu em 10 segundos' */
export const attemptWords = ({ status, failure }: WebhookAttempt): string => {
  if (failure === null || failure === 'status') return `respondeu ${status}`
  return failure === 'redirect' ? `mandou para outro endereço (${status})` : failureWords[failure]
}

/** What is to come: 'próxima tentativa hoje, 14:32'. */
export const nextWords = (
  { status, nextTryAt, attemptCount }: WebhookCall,
  webhook: WebhookShown['status'],
  nowMs: number,
): string | undefined => {
  if (status !== 'waiting') return undefined
  if (webhook === 'paused') return 'espera: o webhook está pausado'
  if (nextTryAt === null) return 'espera por uma entrega anterior da mesma conversa'
  return attemptCount === 0 ? 'sai em instantes' : `próxima tentativa ${dayAndTime(nextTryAt, nowMs)}`
}

export const typesWords = ({ types, withPersonal }: Pick<WebhookShown, 'types' | 'withPersonal'>): string =>
  `${plural(types.length, 'tipo de evento', 'tipos de evento')}, ${withPersonal ? 'com' : 'sem'} dados pessoais`

const services: Readonly<Record<string, string>> = {
  contacts: 'Conversas',
  sessions: 'Conexões',
  automation: 'Fluxos',
  identity: 'Conta',
  billing: 'Cobrança',
}
const order = Object.keys(services)

export interface TypeGroup {
  service: string
  label: string
  types: PublishedStream[]
}

/** Conversations first. */
export const typeGroups = (types: readonly PublishedStream[]): TypeGroup[] => {
  const named = [...new Set(types.map(({ service }) => service))]
  const rank = (service: string) => (order.includes(service) ? order.indexOf(service) : order.length)
  return named
    .sort((one, other) => rank(one) - rank(other))
    .map((service) => ({
      service,
      label: services[service] ?? service,
      types: types.filter((each) => each.service === service),
    }))
}

const testLabel = 'Teste'

/** 'message-received' of 'prosa.contacts.message-received.v1' */
export const shortType = (type: string): string =>
  type === 'prosa.webhooks.test.v1' ? testLabel : (type.split('.')[2] ?? type)
