import type { WhyField, WhyKind } from '@prosa/contracts/http/history'
import type { Category } from '@prosa/contracts/streams'
import type { Stored } from '@prosa/kernel/event-store/codec'
import type { RecordedEvent } from '@prosa/kernel/event-store/port'
import { decoded, type Reader } from '../read-events.ts'
import { attendantFold, botFold, labelFold, tickFold, type ValueFold, valueFoldOf } from '../values.ts'

/** Where a value comes from: one stream's fold, and its label there. */
interface Source {
  category: Category
  label: string
  fold?: (part: string) => ValueFold
}

const sources: { [K in WhyKind]: Readonly<Record<WhyField<K>, Source>> } = {
  user: {
    access: { category: 'subscription', label: 'Acesso até' },
    status: { category: 'subscription', label: 'Situação' },
    name: { category: 'user', label: 'Nome' },
    email: { category: 'user', label: 'E-mail' },
    emailConfirmed: { category: 'user', label: 'E-mail confirmado' },
    role: { category: 'user', label: 'Papéis' },
  },
  order: {
    status: { category: 'order', label: 'Situação' },
    amount: { category: 'order', label: 'Valor' },
    buyer: { category: 'order', label: 'Comprador' },
    plan: { category: 'order', label: 'Plano' },
  },
  plan: {
    name: { category: 'plan', label: 'Nome' },
    price: { category: 'plan', label: 'Preço' },
    accessDays: { category: 'plan', label: 'Dias de acesso' },
    isOffered: { category: 'plan', label: 'Oferecido' },
  },
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
    tick: { category: 'chat', label: 'Tique', fold: tickFold },
  },
  flow: {
    status: { category: 'flow', label: 'Situação' },
    name: { category: 'flow', label: 'Nome' },
    version: { category: 'flow', label: 'Versão publicada' },
    numbers: { category: 'flow', label: 'Números' },
  },
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
  let setting: Setting | undefined
  return {
    next(event: Stored) {
      const after = fold.next(event).get(label)
      if (after !== undefined && after !== value) setting = { label, event, before: value ?? null, after }
      value = after
    },
    /** None where the value is gone since. */
    result: () => (value === undefined ? undefined : setting),
  }
}

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
  const { next, result } = follower(fold, label)
  let count = 0
  for await (const page of reader.store.read(stream)) {
    count += page.length
    if (count > maxEvents) return undefined
    const needed = page.filter(({ type }) => fold.types.has(type))
    for (const event of await decoded(reader, needed)) next(event)
  }
  return result()
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
  return result()
}
