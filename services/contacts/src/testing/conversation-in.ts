import { until } from '@prosa/kernel/testing/until'
import { arrived, type TestContacts } from './test-contacts.ts'

/** The contact wrote `ASKED`. */
export const conversationIn = async (service: TestContacts) => {
  const shop = await service.shop()
  await shop.receives(arrived('Vocês entregam?', { messageId: 'ASKED' }))
  const [received] = await until(async () => {
    const found = await shop.events('MessageReceived')
    return found.length > 0 && found
  })
  const contactId = received?.stream.slice('chat-'.length) ?? ''
  const send = (body: object) =>
    shop.ask('POST', '/send-message', { connectionId: shop.connectionId, contactId, ...body })
  const react = (messageId: string, emoji: string | null, body: object = {}) =>
    shop.ask('POST', `/contacts/${contactId}/messages/${messageId}/reaction`, {
      connectionId: shop.connectionId,
      emoji,
      ...body,
    })
  const sent = async () =>
    (await shop.events('MessageQueued')).map(({ data }) => ('content' in data ? data.content : undefined))
  return { ...shop, contactId, send, react, sent }
}
