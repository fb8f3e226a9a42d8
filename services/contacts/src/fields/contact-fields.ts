import type { EventOf } from '@prosa/contracts/events/all-events'
import type { contactFieldEvents } from '@prosa/contracts/events/contacts'
import { givenVariables } from '@prosa/contracts/flows/flow-document'
import type { AnswerType } from '@prosa/contracts/values/answers/answer-type'
import { maximumContactFields } from '@prosa/contracts/values/lengths'
import { withoutMarks } from '@prosa/contracts/values/text/without-marks'
import type { Decider } from '@prosa/kernel/domain/decider'
import { withLast } from '@prosa/kernel/domain/last-of'

interface FieldLook {
  name: string
  /** Texts name the field by it; it stays when the name changes. */
  variable: string
  type: AnswerType
}

export type ContactFieldCommand =
  | { type: 'CreateContactField'; data: { fieldId: string; name: string; type: AnswerType } }
  | { type: 'RenameContactField'; data: { fieldId: string; name: string } }
  | { type: 'DeleteContactField'; data: { fieldId: string } }
  /** The account was erased. */
  | { type: 'DeleteAllContactFields'; data: Record<never, never> }

export type ContactFieldEvent = EventOf<typeof contactFieldEvents>

export type ContactFieldRefusal = 'contact_field_not_found' | 'contact_field_name_taken' | 'too_many_contact_fields'

export interface ContactFields {
  /** By id. */
  existing: ReadonlyMap<string, FieldLook>
  /** Recently deleted ids. */
  deleted: readonly string[]
}

/** Repeated commands are also recognized by their events. */
const maxDeleted = 1000

/** 'Data de nascimento' → 'data_de_nascimento', '2º telefone' → 'campo_2o_telefone' */
export const variableOf = (name: string): string => {
  const words = withoutMarks(name, 'NFKD')
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '_')
    .replace(/^_/, '')
  return (/^[a-z]/.test(words) ? words : `campo_${words}`).slice(0, 40).replace(/_$/, '')
}

const isNameTaken = ({ existing }: ContactFields, name: string, fieldId: string): boolean =>
  [...existing].some(([id, field]) => id !== fieldId && variableOf(field.name) === variableOf(name))

const isVariableTaken = ({ existing }: ContactFields, variable: string): boolean =>
  (givenVariables as readonly string[]).includes(variable) ||
  [...existing.values()].some((field) => field.variable === variable)

/** Names and variables are unique, regardless of case and accents. */
export const contactFields: Decider<ContactFieldCommand, ContactFieldEvent, ContactFields, ContactFieldRefusal> = {
  initial: { existing: new Map(), deleted: [] },

  decide: {
    CreateContactField: (state, { fieldId, name, type }) => {
      if (state.existing.has(fieldId) || state.deleted.includes(fieldId)) return []
      const variable = variableOf(name)
      if (isNameTaken(state, name, fieldId) || isVariableTaken(state, variable))
        return { rejected: 'contact_field_name_taken' }
      if (state.existing.size >= maximumContactFields) return { rejected: 'too_many_contact_fields' }
      return [{ type: 'ContactFieldCreated', data: { fieldId, name, variable, type } }]
    },
    RenameContactField: (state, { fieldId, name }) => {
      const known = state.existing.get(fieldId)
      if (!known) return { rejected: 'contact_field_not_found' }
      if (known.name === name) return []
      if (isNameTaken(state, name, fieldId)) return { rejected: 'contact_field_name_taken' }
      return [{ type: 'ContactFieldRenamed', data: { fieldId, name } }]
    },
    DeleteContactField: ({ existing, deleted }, { fieldId }) => {
      if (deleted.includes(fieldId)) return []
      if (!existing.has(fieldId)) return { rejected: 'contact_field_not_found' }
      return [{ type: 'ContactFieldDeleted', data: { fieldId } }]
    },
    DeleteAllContactFields: ({ existing }) =>
      [...existing.keys()].map((fieldId) => ({ type: 'ContactFieldDeleted', data: { fieldId } })),
  },

  evolve: {
    ContactFieldCreated: (state, { fieldId, name, variable, type }) => ({
      ...state,
      existing: new Map(state.existing).set(fieldId, { name, variable, type }),
    }),
    ContactFieldRenamed: (state, { fieldId, name }) => {
      const known = state.existing.get(fieldId)
      return known ? { ...state, existing: new Map(state.existing).set(fieldId, { ...known, name }) } : state
    },
    ContactFieldDeleted: ({ existing, deleted }, { fieldId }) => ({
      existing: new Map([...existing].filter(([id]) => id !== fieldId)),
      deleted: withLast(deleted, fieldId, maxDeleted),
    }),
  },
}
