import { parseStream } from '@prosa/contracts/streams'
import { nextOpening } from '@prosa/contracts/values/time/is-open'
import type { OpeningHours } from '@prosa/contracts/values/time/opening-hours'
import type { Happened } from './happened.ts'

/** The contacts that were one person at that position, as both sides recorded it. */
const groupAt = (happened: Happened, contactId: string, upTo: string): string => {
  const into = new Map<string, string>()
  for (const { stream, data, type, position } of happened.events) {
    if (position >= upTo) break
    const { id } = parseStream(stream)
    if (type === 'ContactAbsorbed') into.set(id, data.into)
    if (type === 'ContactRestored') into.delete(id)
    if (type === 'ContactSeparated') into.delete(data.restored)
  }
  let person = contactId
  for (let next = into.get(person); next; next = into.get(person)) person = next
  return person
}

export const repeatedReplies = (happened: Happened): string[] => {
  const hoursOf = (tenant: string | null, upTo: string): OpeningHours | undefined =>
    happened.of('OpeningHoursSet').findLast(({ metadata, position }) => metadata.tenant === tenant && position < upTo)
      ?.data
  const replies = happened.of('MessageQueued').filter(({ data }) => data.automatic === 'out_of_hours')
  return replies.flatMap((reply, index) => {
    const cause = happened.events.find(({ id }) => id === reply.metadata.causationId)
    const hours = hoursOf(reply.metadata.tenant, reply.position)
    if (!cause || !hours) return [`reply ${reply.data.messageId} has no reason`]
    const closedUntil = nextOpening(hours, reply.metadata.recordedAt)
    const chat = parseStream(reply.stream).id
    const person = groupAt(happened, chat, cause.position)
    const before = replies
      .slice(0, index)
      .find(
        (other) =>
          other.metadata.tenant === reply.metadata.tenant &&
          other.position < cause.position &&
          groupAt(happened, parseStream(other.stream).id, cause.position) === person &&
          nextOpening(hours, other.metadata.recordedAt) === closedUntil,
      )
    return before
      ? [`${chat} got reply ${reply.data.messageId} though ${before.data.messageId} was sent in that closed time`]
      : []
  })
}
