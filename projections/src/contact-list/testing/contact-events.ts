import type { AnyEvent } from '@prosa/contracts/events/all-events'
import { at, idOf } from '@prosa/kernel/consumers/testing/test-log'

export const connectionId = idOf('line')
export const attendantId = idOf('ana')
export const text = (words: string) => ({ kind: 'text', text: words }) as const

export const added = (
  name: string | null,
  phone: string | null,
  origin: 'message' | 'attendant' | 'phone' = 'message',
) => ({ type: 'ContactAdded', data: { name, phone, lid: null, origin } }) as const
export const received = (messageId: string, words: string, sentAt = at(0)): AnyEvent => ({
  type: 'MessageReceived',
  data: { messageId, connectionId, content: text(words), sentAt },
})
export const queued = (messageId: string, words: string): AnyEvent => ({
  type: 'MessageQueued',
  data: { messageId, connectionId, toJid: '1@lid', content: text(words), attendantId },
})
export const answeredOutOfHours = (messageId: string, words: string): AnyEvent => ({
  type: 'MessageQueued',
  data: {
    messageId,
    connectionId,
    toJid: '1@lid',
    content: text(words),
    attendantId,
    automatic: 'out_of_hours',
  },
})

export const accepted: AnyEvent = { type: 'ConversationAccepted', data: { attendantId } }
export const resolved: AnyEvent = { type: 'ConversationResolved', data: { attendantId } }
export const reopened: AnyEvent = { type: 'ConversationReopened', data: {} }
export const resumed: AnyEvent = { type: 'ConversationResumed', data: { attendantId } }

const ofRun = (run: string) => ({ runId: idOf(run), flowId: idOf('flow'), version: 1 })

export const started = (run: string, startedBy: 'keyword' | 'flow' = 'keyword'): AnyEvent => ({
  type: 'FlowRunStarted',
  data: { ...ofRun(run), connectionId, startedBy, startMessageId: null, text: 'oi' },
})
export const ended = (run: string, reason: 'completed' | 'silence' | 'handed_over' | 'accepted'): AnyEvent => ({
  type: 'FlowRunEnded',
  data: { ...ofRun(run), endedAt: at(0), reason },
})
export const movedAway = (run: string, to: string): AnyEvent => ({
  type: 'FlowRunMovedAway',
  data: { ...ofRun(run), to },
})
export const takenOver = (run: string, from: string): AnyEvent => ({
  type: 'FlowRunTakenOver',
  data: { ...ofRun(run), from, state: '{}' },
})
export const writtenByFlow = (messageId: string, words: string): AnyEvent => ({
  type: 'MessageQueued',
  data: { messageId, connectionId, toJid: '1@lid', content: text(words), attendantId, automatic: 'flow' },
})

export const contactLog = (append: (tenant: string, stream: string, event: AnyEvent) => Promise<string>) => {
  let latest = ''
  return {
    latest: () => latest,
    async record(tenant: string, id: string, ...events: AnyEvent[]) {
      for (const event of events) {
        const isOfChat = event.type.startsWith('Message') || event.type === 'ChatSeen'
        const category = event.type.startsWith('Flow') ? 'flowRun' : isOfChat ? 'chat' : 'contact'
        latest = await append(tenant, `${category}-${id}`, event)
      }
    },
  }
}
