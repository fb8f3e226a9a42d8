import type { AnyEvent } from '@prosa/contracts/events/all-events'
import type { StoredOf } from '@prosa/kernel/event-store/codec'
import type { TestContacts } from './test-contacts.ts'

type Shop = Awaited<ReturnType<TestContacts['shop']>>

/** Requests a reply to each message that has no request, as automation does where no flow takes them; returns all requests. */
export const leaveToReply = async (
  shop: Pick<Shop, 'events' | 'record'>,
): Promise<StoredOf<'OutOfHoursReplyRequested'>[]> => {
  const requests = async () => (await shop.events('OutOfHoursReplyRequested')) as StoredOf<'OutOfHoursReplyRequested'>[]
  const asked = new Set((await requests()).map(({ data }) => data.messageId))
  const messages = (await shop.events('MessageReceived')) as StoredOf<'MessageReceived'>[]
  for (const { stream, data } of messages.filter((each) => !asked.has(each.data.messageId))) {
    const { messageId, connectionId, sentAt } = data
    const event: AnyEvent = { type: 'OutOfHoursReplyRequested', data: { messageId, connectionId, sentAt } }
    await shop.record(stream.replace('chat-', 'flowRun-'), event)
  }
  return requests()
}
