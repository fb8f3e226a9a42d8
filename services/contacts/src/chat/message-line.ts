import { successorOf, successorsOf } from '@prosa/contracts/values/lines'
import type { ContactHandlers } from '../handlers.ts'
import { type KnownMessage, revisionOf } from './known-message.ts'
import { eventAt } from './quote.ts'

type Log = Pick<ContactHandlers, 'store' | 'codec'>

export const wayOf = async (
  log: Log,
  chatId: string,
  message: KnownMessage,
): Promise<{ connectionId: string; at: string }> => {
  const { type, data, metadata } = await eventAt(log, chatId, revisionOf(message))
  if (type === 'MessageReceived') return { connectionId: data.connectionId, at: data.receivedAt ?? data.sentAt }
  if (type === 'MessageSentElsewhere') return { connectionId: data.connectionId, at: data.sentAt }
  if (type === 'MessageQueued') return { connectionId: data.connectionId, at: metadata.recordedAt }
  throw new Error('a message is not at the revision that its chat names')
}

/** Has the sending number now; only it can react or change. */
export const accountOf = async (
  { lines, ownLines }: Pick<ContactHandlers, 'lines' | 'ownLines'>,
  tenant: string,
  way: { connectionId: string; at: string },
): Promise<string | undefined> => {
  const own = await ownLines(tenant)
  const isKnown = own.some(({ connectionId }) => connectionId === way.connectionId)
  const account = isKnown ? successorOf({ ...way, rank: way.at }, successorsOf(own)) : way.connectionId
  return account !== undefined && (await lines.load(account, tenant)) !== 'absent' ? account : undefined
}
