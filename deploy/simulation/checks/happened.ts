import type { AnyEvent, EventType } from '@prosa/contracts/events/all-events'
import { categories, parseStream } from '@prosa/contracts/streams'
import type { Stored, StoredOf } from '@prosa/kernel/event-store/codec'
import { beginning } from '@prosa/kernel/event-store/port'
import type { Ports } from '@prosa/product/ports'

/** The whole log, decoded. */
export class Happened {
  readonly events: readonly Stored[]

  constructor(events: readonly Stored[]) {
    this.events = events
  }

  of<T extends EventType>(...types: T[]): StoredOf<T>[] {
    const wanted = new Set<string>(types)
    return this.events.filter(({ type }) => wanted.has(type)) as unknown as StoredOf<T>[]
  }

  has(type: AnyEvent['type'], stream: string): boolean {
    return this.events.some((each) => each.type === type && each.stream === stream)
  }

  isErased(tenant: string | null, contactId: string): boolean {
    return this.has('UserErased', `user-${tenant}`) || this.has('ContactErased', `contact-${contactId}`)
  }

  /** The contact that stands for this one at that position. */
  personAt(contactId: string, upTo: string): string {
    let person = contactId
    for (const { type, stream, data, position } of this.events) {
      if (position > upTo || parseStream(stream).id !== person) continue
      if (type === 'ContactAbsorbed') person = data.into
    }
    return person
  }
}

export const readHappened = async ({ store, codec }: Pick<Ports, 'store' | 'codec'>): Promise<Happened> => {
  const events: Stored[] = []
  for await (const batch of store.readAll(beginning, { categories: Object.keys(categories) }))
    events.push(...(await codec.decode(batch.events)))
  return new Happened(events)
}
