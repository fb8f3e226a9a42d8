import { proto, type WAMessage } from '@whiskeysockets/baileys'
import { expect, it } from 'vitest'
import { readPadded } from './store-before-receipt.ts'

const padded = (bytes: Uint8Array) => Buffer.concat([bytes, Buffer.from([1])])

it('reads what somebody wrote, and what the own phone wrote to somebody', () => {
  const message = proto.Message.fromObject({ conversation: 'oi' })
  const copy = proto.Message.fromObject({ deviceSentMessage: { destinationJid: '1@lid', message } })
  for (const each of [message, copy])
    expect(readPadded(padded(proto.Message.encode(each).finish()))).toMatchObject({ conversation: 'oi' })
})

it('takes bytes that are no message for a message that cannot be read, so that it is recorded and not asked for again', () => {
  for (const bytes of [Buffer.from([0xff, 0xff, 0xff]), Buffer.from([0x0a, 0x7f]), Buffer.alloc(0)]) {
    const message: WAMessage['message'] = readPadded(bytes.length > 0 ? padded(bytes) : bytes)
    expect(message).toEqual({ unreadable: true })
  }
})
