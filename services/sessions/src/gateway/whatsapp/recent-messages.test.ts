import { MessageRetryManager, proto } from '@whiskeysockets/baileys'
import { pino } from 'pino'
import { expect, it, onTestFinished } from 'vitest'
import { limitRecentMessages } from './recent-messages.ts'

const jid = '5511900000001@s.whatsapp.net'
const { PEER_DATA_OPERATION_REQUEST_MESSAGE } = proto.Message.ProtocolMessage.Type

it('keeps in memory what was asked of the own phone, and no message that the outbox has', () => {
  const messageRetryManager = new MessageRetryManager(pino({ level: 'silent' }), 5)
  onTestFinished(() => messageRetryManager.clear())
  limitRecentMessages({ messageRetryManager })
  const request = { protocolMessage: { type: PEER_DATA_OPERATION_REQUEST_MESSAGE } }
  messageRetryManager.addRecentMessage(jid, 'request', request)
  messageRetryManager.addRecentMessage(jid, 'text', { conversation: 'oi' })
  expect(messageRetryManager.getRecentMessage(jid, 'request')?.message).toBe(request)
  expect(messageRetryManager.getRecentMessage(jid, 'text')).toBeUndefined()
})
