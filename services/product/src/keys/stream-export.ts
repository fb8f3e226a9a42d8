import type { EventOf } from '@prosa/contracts/events/all-events'
import type { streamExportEvents } from '@prosa/contracts/events/operations'
import type { Decider } from '@prosa/kernel/domain/decider'
import { emptySet, type GrowingSet } from '@prosa/kernel/domain/growing-set'

export type StreamExportEvent = EventOf<typeof streamExportEvents>
export type StreamExport = Extract<StreamExportEvent, { type: 'StreamExported' }>['data']

export type KeyUse = Extract<StreamExportEvent, { type: 'ApiKeyUsed' }>['data']

type StreamExportCommand = { type: 'ExportStream'; data: StreamExport } | { type: 'UseApiKey'; data: KeyUse }

/** The same question in the same hour; a program that asks each minute leaves 24 events a day. */
const questionOf = ({ at, ...question }: StreamExport | KeyUse): string =>
  `${at.slice(0, 13)} ${JSON.stringify(question)}`

/** Stream `streamExport-<user id>:<key id>:<day>`. */
export const streamExport: Decider<StreamExportCommand, StreamExportEvent, GrowingSet, 'unexpected'> = {
  initial: emptySet,
  decide: {
    ExportStream: (asked, data) => (asked.has(questionOf(data)) ? [] : [{ type: 'StreamExported', data }]),
    UseApiKey: (asked, data) => (asked.has(questionOf(data)) ? [] : [{ type: 'ApiKeyUsed', data }]),
  },
  evolve: {
    StreamExported: (asked, data) => asked.add(questionOf(data)),
    ApiKeyUsed: (asked, data) => asked.add(questionOf(data)),
  },
}
