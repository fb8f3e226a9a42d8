import type { EventOf } from '@prosa/contracts/events/all-events'
import type { labelEvents } from '@prosa/contracts/events/contacts'
import type { LabelColour } from '@prosa/contracts/values/label-colour'
import { maximumLabels } from '@prosa/contracts/values/lengths'
import { withoutMarks } from '@prosa/contracts/values/text/without-marks'
import type { Decider } from '@prosa/kernel/domain/decider'
import { withLast } from '@prosa/kernel/domain/last-of'

interface Look {
  name: string
  colour: LabelColour
}

export type LabelCommand =
  | { type: 'CreateLabel'; data: Look & { labelId: string } }
  /** Omitted fields do not change. */
  | { type: 'ChangeLabel'; data: { [F in keyof Look]?: Look[F] | undefined } & { labelId: string } }
  | { type: 'DeleteLabel'; data: { labelId: string } }
  /** The account was erased. */
  | { type: 'DeleteAllLabels'; data: Record<never, never> }

export type LabelEvent = EventOf<typeof labelEvents>

export type LabelRefusal = 'label_not_found' | 'label_name_taken' | 'too_many_labels'

export interface Labels {
  /** By id. */
  existing: ReadonlyMap<string, Look>
  /** Recently deleted ids. */
  deleted: readonly string[]
}

/** Repeated commands are also recognized by their events. */
const maxDeleted = 1000

/** 'Orçamento' and 'orcamento' are one name. */
const plain = (name: string) => withoutMarks(name, 'NFKD').toLowerCase()

const isTaken = ({ existing }: Labels, name: string, labelId: string): boolean =>
  [...existing].some(([id, label]) => id !== labelId && plain(label.name) === plain(name))

const changed = (state: Labels, id: string, change: Partial<Look>): Labels => {
  const known = state.existing.get(id)
  return known ? { ...state, existing: new Map(state.existing).set(id, { ...known, ...change }) } : state
}

/** Names are unique regardless of case and accents. */
export const labels: Decider<LabelCommand, LabelEvent, Labels, LabelRefusal> = {
  initial: { existing: new Map(), deleted: [] },

  decide: {
    CreateLabel: (state, data) => {
      if (state.existing.has(data.labelId) || state.deleted.includes(data.labelId)) return []
      if (isTaken(state, data.name, data.labelId)) return { rejected: 'label_name_taken' }
      if (state.existing.size >= maximumLabels) return { rejected: 'too_many_labels' }
      return [{ type: 'LabelCreated', data }]
    },
    ChangeLabel: (state, { labelId, name, colour }) => {
      const known = state.existing.get(labelId)
      if (!known) return { rejected: 'label_not_found' }
      const events: LabelEvent[] = []
      if (name !== undefined && name !== known.name) {
        if (isTaken(state, name, labelId)) return { rejected: 'label_name_taken' }
        events.push({ type: 'LabelRenamed', data: { labelId, name } })
      }
      if (colour !== undefined && colour !== known.colour)
        events.push({ type: 'LabelRecoloured', data: { labelId, colour } })
      return events
    },
    DeleteLabel: ({ existing, deleted }, { labelId }) => {
      if (deleted.includes(labelId)) return []
      if (!existing.has(labelId)) return { rejected: 'label_not_found' }
      return [{ type: 'LabelDeleted', data: { labelId } }]
    },
    DeleteAllLabels: ({ existing }) =>
      [...existing.keys()].map((labelId) => ({ type: 'LabelDeleted', data: { labelId } })),
  },

  evolve: {
    LabelCreated: (state, { labelId, name, colour }) => ({
      ...state,
      existing: new Map(state.existing).set(labelId, { name, colour }),
    }),
    LabelRenamed: (state, { labelId, name }) => changed(state, labelId, { name }),
    LabelRecoloured: (state, { labelId, colour }) => changed(state, labelId, { colour }),
    LabelDeleted: ({ existing, deleted }, { labelId }) => ({
      existing: new Map([...existing].filter(([id]) => id !== labelId)),
      deleted: withLast(deleted, labelId, maxDeleted),
    }),
  },
}
