import type { StoredEvent } from '@prosa/contracts/published/publication'
import { type PublishedEvent, publishedOf } from '@prosa/contracts/published/published-of'
import type { PublishEvents } from '@prosa/product/publishing/publish-events'

/** With ids as they are, so that tests can compare them with the log. */
export const publishPlainly: PublishEvents = async (events) =>
  events.map((event): PublishedEvent | undefined => publishedOf(event as StoredEvent, { pseudonym: (_, __, id) => id }))
