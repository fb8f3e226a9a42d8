import type { EventOf } from '@prosa/contracts/events/all-events'
import type { labelEvents } from '@prosa/contracts/events/contacts'
import type { Reader } from '@prosa/kernel/domain/decider'

type LabelEvent = EventOf<typeof labelEvents>

/** Folded from the contacts service's events. */
export const knownLabels: Reader<LabelEvent, ReadonlySet<string>> = {
  initial: new Set(),
  evolve: {
    LabelCreated: (labels, { labelId }) => new Set(labels).add(labelId),
    LabelRenamed: (labels) => labels,
    LabelRecoloured: (labels) => labels,
    LabelDeleted: (labels, { labelId }) => new Set([...labels].filter((id) => id !== labelId)),
  },
}
