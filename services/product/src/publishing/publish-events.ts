import { type PublishedEvent, publishedOf, tenantOf } from '@prosa/contracts/published/published-of'
import type { Stored } from '@prosa/kernel/event-store/codec'
import type { Ports } from '@prosa/kernel/ports'
import { pseudonyms } from './pseudonyms.ts'

/** In the same order; undefined for what is not published. */
export type PublishEvents = (events: readonly Stored[]) => Promise<(PublishedEvent | undefined)[]>

/** Without personal fields, for whoever is not the tenant. */
export const publishEvents = (ports: Pick<Ports, 'subjectKeys' | 'box'>): PublishEvents => {
  const { of } = pseudonyms(ports)
  return async (events) => {
    const pseudonym = await of(events.map(tenantOf).filter((tenant) => tenant !== null))
    return events.map((event) => publishedOf(event, { pseudonym }))
  }
}

/** With personal fields and ids as they are, for the tenant. */
export const publishWithPersonal: PublishEvents = async (events) =>
  events.map((event) => publishedOf(event, { pseudonym: (_, __, id) => id, withPersonal: true }))
