import type { WhyField, WhyKind } from '@prosa/contracts/http/history'
import type { Category } from '@prosa/contracts/streams'
import type { Stored } from '@prosa/kernel/event-store/codec'
import type { RecordedEvent } from '@prosa/kernel/event-store/port'
import { decoded, type Reader } from '../read-events.ts'
import { ofPart, type ValueFold } from '../value-fold.ts'
import { attendantFold, botFold, labelFold, limitsFold, tickFold, valueFoldOf } from '../values.ts'
import { settingSources } from './setting-sources.ts'

/** Where a value comes from: one stream's fold, and its label there. */
interface Source {
  category: Category
  label: string
  fold?: (part: string) => ValueFold
  /** One of many in the stream, named by `part`. */
  isPart?: true
}

const sources: { [K in WhyKind]: Readonly<Record<WhyField<K>, Source>> } = {
  user: {
    access: { category: 'subscription', label: 'Acesso até' },
    status: { category: 'subscription', label: 'Situação' },
    limits: { category: 'subscription', label: 'Limites', fold: limitsFold },
    name: { category: 'user', label: 'Nome' },
    email: { category: 'user', label: 'E-mail' },
    emailConfirmed: { category: 'user', label: 'E-mail confirmado' },
    terms: { category: 'user', label: 'Termos aceitos' },
    role: { category: 'user', label: 'Papéis' },
  },
  order: {
    status: { category: 'order', label: 'Situação' },
    amount: { category: 'order', label: 'Valor' },
    buyer: { category: 'order', label: 'Comprador' },
    plan: { category: 'order', label: 'Plano' },
  },
  purchase: {
    status: { category: 'kiwifySubscription', label: 'Situação' },
    account: { category: 'kiwifySubscription', label: 'Conta' },
  },
  delivery: { status: { category: 'webhookDelivery', label: 'Situação' } },
  plan: {
    name: { category: 'plan', label: 'Nome' },
    price: { category: 'plan', label: 'Preço' },
    accessDays: { category: 'plan', label: 'Dias de acesso' },
    isOffered: { category: 'plan', label: 'Oferecido' },
  },
  support: { status: { category: 'supportRequest', label: 'Situação' } },
  connection: {
    status: { category: 'connection', label: 'Situação' },
    name: { category: 'connection', label: 'Nome' },
    number: { category: 'connection', label: 'Número' },
  },
  contact: {
    status: { category: 'contact', label: 'Situação' },
    attendant: { category: 'contact', label: 'Quem atende', fold: attendantFold },
    name: { category: 'contact', label: 'Nome' },
    phone: { category: 'contact', label: 'Telefone' },
    robot: { category: 'contact', label: 'Possível robô' },
    bot: { category: 'flowRun', label: 'Robô', fold: botFold },
    label: { category: 'contact', label: 'Etiqueta', fold: labelFold },
    field: { category: 'contact', label: 'Campo', isPart: true },
    tick: { category: 'chat', label: 'Tique', fold: tickFold },
  },
  flow: {
    status: { category: 'flow', label: 'Situação' },
    name: { category: 'flow', label: 'Nome' },
    version: { category: 'flow', label: 'Versão publicada' },
    numbers: { category: 'flow', label: 'Números' },
  },
  folder: {
    name: { category: 'flowFolder', label: 'Nome' },
    description: { category: 'flowFolder', label: 'Descrição' },
  },
  ...settingSources,
}

export const sourceOf = (kind: WhyKind, field: string): Source | undefined =>
  Object.hasOwn(sources[kind], field) ? (sources[kind] as Record<string, Source>)[field] : undefined

export interface Setting {
  label: string
  event: Stored
  before: string | null
  after: string
}

/** Beyond it nothing is answered. */
const maxEvents = 20_000

/** Each change of a value, while its events are folded. */
const follower = (fold: ValueFold, label: string) => {
  let value: string | undefined
  let setting: Omit<Setting, 'label'> | undefined
  return {
    next(event: Stored) {
      const after = fold.next(event).get(label)
      if (after !== undefined && after !== value) setting = { event, before: value ?? null, after }
      value = after
    },
    /** None where the value is gone since. */
    result: () => (value === undefined ? undefined : setting),
  }
}

const labelled = (label: string, found: Omit<Setting, 'label'> | undefined): Setting | undefined =>
  found && { label, ...found }

/** The last event that changed the value, found by folding its stream; undefined where none did, or after too many. */
export const findSetting = async (
  reader: Reader,
  { kind, id, field, part = '' }: { kind: WhyKind; id: string; field: string; part?: string | undefined },
): Promise<Setting | undefined> => {
  const source = sourceOf(kind, field)
  if (!source) return undefined
  const { category, label } = source
  const stream = `${category}-${id}`
  const fold = source.fold?.(part) ?? valueFoldOf(stream)
  if (!fold) return undefined
  if (category === 'chat') return findInTail(reader, stream, fold, { label, part })
  const { next, result } = follower(fold, source.isPart ? ofPart(label, part) : label)
  let count = 0
  for await (const page of reader.store.read(stream)) {
    count += page.length
    if (count > maxEvents) return undefined
    const needed = page.filter(({ type }) => fold.types.has(type))
    for (const event of await decoded(reader, needed)) next(event)
  }
  return labelled(label, result())
}

const isOfMessage = ({ data }: RecordedEvent, messageId: string) => data.messageId === messageId

const isFirst = ({ type, data }: RecordedEvent) =>
  type === 'MessageSentElsewhere' || (type === 'MessageQueued' && data.isRetry !== true)

/** Chats are long, and ticks come soon after their message. */
const findInTail = async (
  reader: Reader,
  stream: string,
  fold: ValueFold,
  { label, part }: { label: string; part: string },
): Promise<Setting | undefined> => {
  const found: RecordedEvent[] = []
  let count = 0
  for await (const page of reader.store.readBack(stream)) {
    count += page.length
    if (count > maxEvents) return undefined
    found.push(...page.filter((event) => fold.types.has(event.type) && isOfMessage(event, part)))
    if (found.some(isFirst)) break
  }
  const { next, result } = follower(fold, label)
  for (const event of await decoded(reader, found.toReversed())) next(event)
  return labelled(label, result())
}
