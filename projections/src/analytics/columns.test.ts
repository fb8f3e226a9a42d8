import type { AnyEvent } from '@prosa/contracts/events/all-events'
import { publishedTables, type TableName } from '@prosa/contracts/published/tables/all-tables'
import type { Projection } from '@prosa/kernel/consumers/projections/projection'
import { foldInto } from '@prosa/kernel/consumers/projections/writing/fold-batch'
import { at, idOf } from '@prosa/kernel/consumers/testing/test-log'
import type { Stored } from '@prosa/kernel/event-store/codec'
import type { Position } from '@prosa/kernel/event-store/port'
import fc from 'fast-check'
import { expect, it } from 'vitest'
import { oneOfEachSubscription } from '../testing/one-of-each-account-event.ts'
import { oneOfEach, streamOf } from '../testing/one-of-each-event.ts'
import type { Showing, Shown } from './analytic-table.ts'
import { analyticConversations } from './conversations/projection.ts'
import { shownConversation } from './conversations/shown.ts'
import { analyticMessages } from './messages/projection.ts'
import { shownMessage } from './messages/shown.ts'
import { analyticSubscriptions, shownSubscription } from './subscriptions/projection.ts'

const tenant = idOf('owner')
const showing: Showing = { withPersonal: false, id: (_, value) => value }
const chosen = fc.array(fc.record({ id: fc.nat(2), message: fc.nat(2), event: fc.nat() }), { maxLength: 60 })

type Chosen = readonly { id: number; message: number; event: number }[]
interface Choices {
  of: (message: string) => readonly AnyEvent[]
  streamOf: (id: string, event: AnyEvent) => string
}

const storedOf = (events: Chosen, { of, streamOf: streamFor }: Choices): Stored[] =>
  events.map(({ id, message, event: number }, index) => {
    const all = of(`M${message}`)
    const event = all[number % all.length] as AnyEvent
    return {
      ...event,
      id: idOf(`event ${index}`),
      stream: streamFor(idOf(`contact ${id}`), event),
      revision: BigInt(index),
      position: String(index).padStart(8, '0') as Position,
      metadata: {
        ...{ causationId: idOf(`cause ${index >> 2}`), correlationId: 'c', tenant, schemaVersion: 1 },
        ...{ actor: { kind: 'system', id: 'test' } as const, recordedAt: at(index) },
      },
    } as Stored
  })

/** Columns that an event changed without being named for them. */
const undocumented = <Row extends { position: string }>(
  table: TableName,
  projection: Projection<Row>,
  show: Shown<Row, Record<string, unknown>>,
  events: readonly Stored[],
): string[] => {
  const { columns, key } = publishedTables[table]
  const from = new Map<string, readonly string[]>(columns.map((column) => [column.name, column.from]))
  const rows = new Map<string, Row>()
  const shown = () =>
    new Map(
      [...rows.values()].map((row) => {
        const record = show(row, showing)
        return [JSON.stringify((key as readonly string[]).map((name) => record[name])), record] as const
      }),
    )
  const found: string[] = []
  let before = shown()
  for (const event of events) {
    foldInto(projection, rows, event)
    const after = shown()
    for (const [name, record] of after)
      for (const [column, value] of Object.entries(record))
        if (before.get(name)?.[column] !== value && value !== null && !from.get(column)?.includes(event.type))
          if (before.has(name) || !isInitial(value)) found.push(`${column} by ${event.type}`)
    before = after
  }
  return found
}

/** What a row has before anything happened. */
const isInitial = (value: unknown) => value === 0 || value === false || value === 'nobody'

const ofContacts: Choices = { of: oneOfEach, streamOf }
const ofAccounts: Choices = { of: () => oneOfEachSubscription, streamOf: (id) => `subscription-${id}` }

const documents = 'change only by the events that the catalogue names for them'

it(`columns of conversations ${documents}`, () =>
  fc.assert(
    fc.property(chosen, (events) => {
      expect(
        undocumented('conversations', analyticConversations, shownConversation, storedOf(events, ofContacts)),
      ).toEqual([])
    }),
  ))
it(`columns of messages ${documents}`, () =>
  fc.assert(
    fc.property(chosen, (events) => {
      expect(undocumented('messages', analyticMessages, shownMessage, storedOf(events, ofContacts))).toEqual([])
    }),
  ))
it(`columns of subscriptions ${documents}`, () =>
  fc.assert(
    fc.property(chosen, (events) => {
      expect(
        undocumented('subscriptions', analyticSubscriptions, shownSubscription, storedOf(events, ofAccounts)),
      ).toEqual([])
    }),
  ))
