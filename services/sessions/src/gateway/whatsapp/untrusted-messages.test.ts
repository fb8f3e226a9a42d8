import { lineEvents } from '@prosa/contracts/events/sessions'
import { anyCharacter } from '@prosa/kernel/testing/any-character'
import { proto, type WAMessage } from '@whiskeysockets/baileys'
import fc from 'fast-check'
import { expect, it } from 'vitest'
import type { Arrival } from '../../domain/line.ts'
import { arrivalOf, unreadable } from './arrival.ts'

const schemas = {
  RecordArrival: lineEvents.MessageArrived,
  RecordEdit: lineEvents.EditArrived,
  RecordDeletion: lineEvents.DeletionArrived,
  RecordReaction: lineEvents.ReactionArrived,
}
const fileId = () => '0d4d4b5c-3e0a-4ad4-8b8e-5f3a0d7e9a22'
const now = new Date('2026-11-21T14:00:00.000Z')
const key = { remoteJid: '1227@lid', id: '3EB0', fromMe: false }

const read = (message: proto.IMessage, changes: Partial<WAMessage> = {}): Arrival | undefined =>
  arrivalOf({ key, message, messageTimestamp: 1_795_269_600, ...changes }, { via: 'notify', now, fileId })

const anything = fc.oneof(
  fc.string({ unit: anyCharacter, maxLength: 40 }),
  fc.double(),
  fc.bigInt(),
  fc.boolean(),
  fc.uint8Array({ maxLength: 64 }),
  fc.constantFrom(null, undefined, {}, [], Number.NaN, -1, 2 ** 60, 'javascript:alert(1)', Object.create(null)),
)
const names = {
  kinds: [
    ...['conversation', 'extendedTextMessage', 'imageMessage', 'videoMessage', 'ptvMessage', 'audioMessage'],
    ...['documentMessage', 'stickerMessage', 'lottieStickerMessage', 'protocolMessage', 'reactionMessage'],
    ...['ephemeralMessage', 'viewOnceMessage', 'documentWithCaptionMessage', 'editedMessage', 'pollUpdateMessage'],
    ...['locationMessage', 'messageContextInfo'],
  ],
  fields: [
    ...['text', 'caption', 'mimetype', 'fileLength', 'mediaKey', 'directPath', 'url', 'fileSha256', 'jpegThumbnail'],
    ...['width', 'height', 'seconds', 'waveform', 'ptt', 'fileName', 'title', 'isAnimated', 'contextInfo', 'message'],
    ...['key', 'type', 'editedMessage', 'timestampMs', 'senderTimestampMs', 'id', 'fromMe', 'stanzaId'],
    'quotedMessage',
  ],
}
const { lie } = fc.letrec<{ lie: unknown; inner: unknown }>((tie) => ({
  lie: fc.dictionary(fc.constantFrom(...names.kinds), tie('inner'), { minKeys: 1, maxKeys: 3 }),
  inner: fc.oneof(
    { maxDepth: 6 },
    anything,
    fc.dictionary(fc.constantFrom(...names.fields), fc.oneof(anything, tie('inner'), tie('lie'))),
  ),
}))

const mustFit = (found: Arrival | undefined) => {
  if (!found) return
  schemas[found.type].parse(found.data)
  // A text that PostgreSQL refuses would stop all consumers.
  const texts = JSON.stringify(found.data)
  expect(texts).not.toContain('\\u0000')
  expect(texts).not.toMatch(/\\ud[89a-f]/)
}

it('never fail to be read, whatever stands where: each is recorded as the contract wants it, or no message at all', () => {
  let recorded = 0
  fc.assert(
    fc.property(lie, (message) => {
      const found = read(message as proto.IMessage)
      mustFit(found)
      if (found) recorded++
    }),
    { numRuns: 2000 },
  )
  // Otherwise all might be of a skipped kind.
  expect(recorded).toBeGreaterThan(500)
})

it('never fail to be read as bytes either', () => {
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 300 }), (bytes) => {
      let message = unreadable
      try {
        message = proto.Message.decode(bytes)
      } catch {
        expect(read(unreadable)).toMatchObject({ data: { content: { kind: 'unsupported' } } })
      }
      mustFit(read(message))
    }),
    { numRuns: 500 },
  )
})

it('are recorded though they are nested beyond all measure', () => {
  let quoted: proto.IMessage = { conversation: 'fim' }
  for (let depth = 0; depth < 20_000; depth++)
    quoted = { extendedTextMessage: { text: 'x', contextInfo: { stanzaId: 'A', quotedMessage: quoted } } }
  expect(read(quoted)).toMatchObject({ data: { content: { kind: 'text', text: 'x' }, raw: '' } })
})

it('lose their own names and times where those could not be stored', () => {
  for (const id of ['', ' ', 'a\u0000b', 'x'.repeat(129)])
    expect(read({ conversation: 'oi' }, { key: { ...key, id } })).toBeUndefined()
  const found = read({ conversation: 'oi' }, { pushName: 'x'.repeat(5000), messageTimestamp: 1e300 })
  expect(found).toMatchObject({ data: { sentAt: now.toISOString(), pushName: 'x'.repeat(500) } })
})
