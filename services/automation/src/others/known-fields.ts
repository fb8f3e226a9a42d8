import type { EventOf } from '@prosa/contracts/events/all-events'
import type { contactFieldEvents } from '@prosa/contracts/events/contacts'
import type { AnswerType } from '@prosa/contracts/values/answers/answer-type'
import type { Reader } from '@prosa/kernel/domain/decider'

/** By id: own fields of the tenant's contacts. */
export type KnownFields = ReadonlyMap<string, { variable: string; type: AnswerType }>

export const knownFields: Reader<EventOf<typeof contactFieldEvents>, KnownFields> = {
  initial: new Map(),
  evolve: {
    ContactFieldCreated: (fields, { fieldId, variable, type }) => new Map(fields).set(fieldId, { variable, type }),
    ContactFieldRenamed: (fields) => fields,
    ContactFieldDeleted: (fields, { fieldId }) => new Map([...fields].filter(([id]) => id !== fieldId)),
  },
}
