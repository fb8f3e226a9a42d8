import type { Actor } from '@prosa/contracts/events/metadata'
import { decodeEach } from '@prosa/kernel/consumers/engine/decode-each'
import type { Stored } from '@prosa/kernel/event-store/codec'
import type { RecordedEvent } from '@prosa/kernel/event-store/port'
import type { Ports } from '@prosa/kernel/ports'
import { knownNames } from '../history/names.ts'
import type { Names } from '../history/sentences/sentence.ts'
import { sentenceOf } from '../history/sentences/sentence-of.ts'
import { shownData } from './shown-data.ts'

type LogReader = Pick<Ports, 'pool' | 'store' | 'codec'>

export interface EventLine {
  quando: string
  frase: string
  quem: string
  motivo?: string
  tipo: string
  /** Stream and revision. */
  registro: string
  dados: Record<string, unknown>
}

const operator = 'Administração do Prosa'

/** Administrators stay anonymous. */
const isOperator = ({ kind, id }: Actor, userId: string) => kind === 'admin' && id !== userId

interface Shown {
  userId: string
  addresses: ReadonlySet<string>
  /** The account's events in shared streams. */
  onlyEvents?: ReadonlyMap<string, ReadonlySet<string>>
}

const recordOf = ({ stream, revision }: Pick<RecordedEvent, 'stream' | 'revision'>) => `${stream} ${revision}`

const lineOf = (event: Stored, names: Names, { addresses, onlyEvents }: Shown): EventLine => {
  const { metadata, type } = event
  return {
    quando: metadata.recordedAt,
    frase: sentenceOf(event, names).text,
    quem: names.actor,
    // A reason about all tenants may concern others.
    ...(metadata.reason !== undefined && !onlyEvents && { motivo: metadata.reason }),
    tipo: type,
    registro: recordOf(event),
    dados: shownData(event, addresses),
  }
}

/** Makes unreadable events visible. */
const unreadable = (recorded: RecordedEvent): EventLine => ({
  quando: recorded.metadata.recordedAt,
  frase: 'Esta versão do Prosa não sabe ler este evento',
  quem: '',
  tipo: recorded.type,
  registro: recordOf(recorded),
  dados: {},
})

export async function* eventLines(
  { pool, store, codec }: LogReader,
  streams: AsyncIterable<string> | Iterable<string>,
  shownTo: Shown,
): AsyncGenerator<EventLine> {
  const { userId, onlyEvents } = shownTo
  for await (const stream of streams)
    for await (const page of store.read(stream)) {
      const own = onlyEvents ? page.filter(({ id }) => onlyEvents.get(stream)?.has(id)) : page
      const decoded = await decodeEach(codec, own)
      const events = decoded.flatMap(({ outcome }) => ('event' in outcome ? outcome.event : []))
      const names = await knownNames(pool, events)
      for (const { recorded, outcome } of decoded) {
        if (!('event' in outcome)) {
          yield unreadable(recorded)
          continue
        }
        const { event } = outcome
        const known = names.of(event)
        const shown = isOperator(event.metadata.actor, userId) ? { ...known, actor: operator } : known
        yield lineOf(event, shown, shownTo)
      }
    }
}

/** Present and former, lower case. */
export const addressesOf = async ({ store, codec }: LogReader, userId: string): Promise<ReadonlySet<string>> => {
  const found = new Set<string>()
  for await (const page of store.read(`user-${userId}`))
    for (const { outcome } of await decodeEach(codec, page)) {
      if (!('event' in outcome)) continue
      const { type, data } = outcome.event
      if (type === 'UserRegistered' || type === 'EmailChanged') found.add(data.email.toLowerCase())
      if (type === 'EmailChanged') found.add(data.formerEmail.toLowerCase())
    }
  return found
}
