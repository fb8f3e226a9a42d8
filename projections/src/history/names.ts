import type { Actor } from '@prosa/contracts/events/metadata'
import type { HistoryActor, HistoryRecordKind } from '@prosa/contracts/http/history'
import { erasedText } from '@prosa/contracts/values/personal'
import { visibleName } from '@prosa/contracts/values/text/visible-name'
import type { Stored } from '@prosa/kernel/event-store/codec'
import type { Pool } from 'pg'
import { type Mention, mentionsOf } from './mentions.ts'
import { findNames } from './queries.ts'
import { parseRecordKey } from './records.ts'
import type { Names } from './sentences/sentence.ts'
import { references } from './value-fold.ts'

/** 'd233a1b5'. */
const shortId = (id: string): string => (id.length > 12 ? id.slice(0, 8) : id)

export interface KnownNames {
  of(event: Stored): Names
  actor(actor: Actor): HistoryActor
  record(mention: Mention): string
  /** With names in place of ids, where the label's values are those. */
  value(label: string, value: string): string
}

const maxNamed = 10

const idsIn = (value: string): string[] => value.split(' ').filter((id) => id !== '')

/** What the values of `references` name. */
export const mentionsOfValues = (values: readonly { label: string; value: string }[]): Mention[] =>
  values.flatMap(({ label, value }) => {
    const kind = references[label]
    return kind === undefined
      ? []
      : idsIn(value)
          .slice(0, maxNamed)
          .map((id) => ({ kind, id }))
  })

const ofKinds: Readonly<Record<HistoryRecordKind, string>> = {
  user: 'da conta de',
  order: 'do pedido',
  delivery: 'do aviso',
  purchase: 'da assinatura na Kiwify',
  entitlement: 'das compras do e-mail',
  plan: 'do plano',
  connection: 'da conexão',
  contact: 'do contato',
  email: 'do endereço de e-mail',
  work: 'do trabalho',
  support: 'da mensagem ao suporte',
  flow: 'do fluxo',
  folder: 'da pasta de fluxos',
  refusals: 'dos avisos recusados',
}

const isAccount = ({ kind }: Actor): boolean => kind === 'user' || kind === 'admin'

const idsOf = (mentions: readonly Mention[], wanted: HistoryRecordKind): string[] => [
  ...new Set(mentions.filter(({ kind }) => kind === wanted).map(({ id }) => id)),
]

/** Acting lines; names of removed ones are gone. */
const linesOf = (events: readonly Stored[]): string[] =>
  events.flatMap(({ metadata: { actor } }) => (actor.kind === 'whatsapp' ? actor.id : []))

const programName = ({ kind, id }: Actor): string => {
  if (kind === 'webhook') return 'Kiwify'
  if (kind === 'whatsapp') return 'WhatsApp'
  if (kind === 'flow') return 'Fluxo'
  if (id.startsWith('timer ')) return 'Prosa (prazo)'
  return id === 'configured-roles' ? 'Configuração' : 'Sistema'
}

/** Read by the tenant: other accounts have no name, administrators no id. */
const forTenant = (tenantId: string, events: readonly Stored[], named: (id: string) => string) => {
  const team = new Set(events.flatMap(({ metadata: { actor } }) => (actor.kind === 'admin' ? actor.id : [])))
  return (id: string): string => {
    if (id === tenantId) return named(id)
    return team.has(id) ? `${named(id)} (equipe do Prosa)` : 'outra pessoa'
  }
}

const namedValue = (label: string, value: string, record: (mention: Mention) => string): string => {
  const kind = references[label]
  if (kind === undefined) return value
  const ids = idsIn(value)
  if (ids.length === 0) return kind === 'user' ? 'ninguém' : 'nenhum'
  const named = ids.slice(0, maxNamed).map((id) => record({ kind, id }))
  return ids.length > maxNamed ? `${named.join(', ')} e mais ${ids.length - maxNamed}` : named.join(', ')
}

/** Current names; erased subjects have none. `more`: named beside the events. `tenantId`: who reads them, if it is no administrator. */
export const knownNames = async (
  pool: Pool,
  events: readonly Stored[],
  { more = [], tenantId }: { more?: readonly Mention[]; tenantId?: string | undefined } = {},
): Promise<KnownNames> => {
  const mentions = [...events.flatMap(mentionsOf), ...more]
  const actors = events.map(({ metadata }) => metadata.actor).filter(isAccount)
  const found = await findNames(pool, {
    accounts: [...new Set([...idsOf(mentions, 'user'), ...actors.map(({ id }) => id)])],
    contacts: idsOf(mentions, 'contact'),
    connections: [...new Set([...idsOf(mentions, 'connection'), ...linesOf(events)])],
    orders: idsOf(mentions, 'order'),
    plans: idsOf(mentions, 'plan'),
    flows: idsOf(mentions, 'flow'),
    folders: idsOf(mentions, 'folder'),
    keys: [...new Set(events.flatMap(({ metadata: { actor } }) => actor.keyId ?? []))],
    fields: [...new Set(events.flatMap(({ data }) => ('fieldId' in data ? [data.fieldId] : [])))],
    labels: [...new Set(events.flatMap(({ data }) => ('labelId' in data ? [data.labelId] : [])))],
  })
  const known = new Map(found.map(({ kind, id, name }) => [`${kind}:${id}`, visibleName(name)]))
  // Erased or removed ones have no row.
  const anybody = (id: string) => known.get(`user:${id}`) ?? erasedText
  const user = tenantId === undefined ? anybody : forTenant(tenantId, events, anybody)
  const contact = (id: string) => known.get(`contact:${id}`) ?? erasedText
  const connection = (id: string) => known.get(`connection:${id}`) ?? 'conexão removida'
  const label = (id: string) => {
    const name = known.get(`label:${id}`)
    return name === undefined ? 'uma etiqueta excluída' : `a etiqueta “${name}”`
  }
  const field = (id: string) => {
    const name = known.get(`field:${id}`)
    return name === undefined ? 'um campo excluído' : `o campo “${name}”`
  }
  const order = (id: string) => known.get(`order:${id}`) ?? shortId(id)
  const keyName = (id: string) => {
    const name = known.get(`key:${id}`)
    return name === undefined ? 'uma chave excluída' : `a chave “${name}”`
  }
  const actorName = (actor: Actor) => {
    if (!isAccount(actor)) return programName(actor)
    return actor.keyId === undefined ? user(actor.id) : `${user(actor.id)} (com ${keyName(actor.keyId)})`
  }
  const named: Partial<Record<HistoryRecordKind, (id: string) => string>> = {
    user,
    contact,
    connection,
    order,
    plan: (id) => known.get(`plan:${id}`) ?? shortId(id),
    flow: (id) => known.get(`flow:${id}`) ?? shortId(id),
    folder: (id) => known.get(`folder:${id}`) ?? shortId(id),
    refusals: () => 'da Kiwify',
    // A read model's id is its name.
    work: (id) => (/^[0-9a-f]{8}-/.test(id) ? shortId(id) : id),
  }
  const record = ({ kind, id }: Mention) => named[kind]?.(id) ?? shortId(id)
  const ofRecord = (key: string) => {
    const mention = parseRecordKey(key)
    return `${ofKinds[mention.kind]} ${record(mention)}`
  }
  return {
    of: ({ metadata }) => ({
      actor: actorName(metadata.actor),
      user,
      contact,
      connection,
      label,
      field,
      order,
      ofRecord,
    }),
    actor: (actor) => {
      if (tenantId === undefined)
        return { kind: actor.kind, id: isAccount(actor) ? actor.id : null, name: actorName(actor) }
      const isOwn = isAccount(actor) && actor.id === tenantId && actor.keyId === undefined
      return { kind: actor.kind, id: null, name: isOwn ? 'você' : actorName(actor) }
    },
    record,
    value: (label, shown) => namedValue(label, shown, record),
  }
}
