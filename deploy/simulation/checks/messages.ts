import { parseStream } from '@prosa/contracts/streams'
import { erasedText } from '@prosa/contracts/values/personal'
import type { Town } from '../history/town.ts'
import type { Happened } from './happened.ts'

const countBy = <T>(items: readonly T[], keyOf: (item: T) => string): Map<string, number> => {
  const counts = new Map<string, number>()
  for (const item of items) counts.set(keyOf(item), (counts.get(keyOf(item)) ?? 0) + 1)
  return counts
}

const contactIn = (stream: string) => parseStream(stream).id

const received = (happened: Happened): string[] => {
  const times = countBy(happened.of('MessageReceived'), ({ data, metadata }) => `${metadata.tenant} ${data.messageId}`)
  const problems = [...times].filter(([, count]) => count > 1).map(([id]) => `message ${id} was received twice`)
  for (const { data, metadata } of happened.of('MessageArrived')) {
    const isErased = data.chatJid === erasedText || happened.has('UserErased', `user-${metadata.tenant}`)
    if (!isErased && !times.has(`${metadata.tenant} ${data.messageId}`))
      problems.push(`message ${data.messageId} was lost`)
  }
  return problems
}

/** Each message that was answered 202. */
const sent = (happened: Happened, { accepted }: Town): string[] => {
  const queued = happened.of('MessageQueued')
  const times = countBy(queued, ({ data }) => data.messageId)
  const dispatched = countBy(happened.of('MessageDispatched'), ({ data }) => data.messageId)
  const ticked = countBy(happened.of('MessageSent'), ({ data }) => data.messageId)
  return [
    ...accepted
      .filter(({ messageId }) => times.get(messageId) !== 1)
      .map(({ messageId }) => `answer ${messageId} was not queued once`),
    ...queued.flatMap(({ stream, data, metadata }) => {
      if (data.isRefused || happened.isErased(metadata.tenant, contactIn(stream))) return []
      const { messageId } = data
      if (times.get(messageId) !== 1) return [`message ${messageId} was queued ${times.get(messageId)} times`]
      if (dispatched.get(messageId) !== 1)
        return [`message ${messageId} went out ${dispatched.get(messageId) ?? 0} times`]
      return ticked.get(messageId) === 1 ? [] : [`message ${messageId} has ${ticked.get(messageId) ?? 0} ticks`]
    }),
  ]
}

const requested = (happened: Happened): string[] => {
  const times = countBy(happened.of('MessageQueued'), ({ data }) => data.messageId)
  return happened.of('FlowMessageRequested').flatMap(({ stream, data, metadata }) => {
    const contactId = contactIn(stream)
    const person = happened.personAt(contactId, '~')
    if (happened.isErased(metadata.tenant, contactId) || happened.isErased(metadata.tenant, person)) return []
    const count = times.get(data.messageId) ?? 0
    return count === 1 ? [] : [`what flow run ${data.runId} says at ${data.nodeId} is in the chat ${count} times`]
  })
}

export const wrongMessages = (happened: Happened, town: Town): string[] => [
  ...received(happened),
  ...sent(happened, town),
  ...requested(happened),
]
