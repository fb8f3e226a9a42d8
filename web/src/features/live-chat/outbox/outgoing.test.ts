import type { Message } from '@prosa/contracts/http/live-chat'
import { describe, expect, it } from 'vitest'
import { someMedia, someMessage } from '../testing/message-routes.ts'
import { asOutgoing, isUploading, type Outgoing, requestOf, stillOutgoing, withOutgoing } from './outgoing.ts'

const stored = (id: string, status: Message['status']): Message =>
  someMessage({ id, contactId: 'c', sender: 'user', timestamp: '2026-11-21T12:00:00.000Z', status })
const written = (id: string, state: Outgoing['state']): Outgoing => ({
  id,
  contactId: 'c',
  content: id,
  writtenAt: '2026-11-21T12:00:00.000Z',
  state,
  failure: state === 'failed' ? 'Erro ao enviar mensagem. Tente novamente.' : null,
})
const shown = (messages: Message[]) => messages.map(({ id, status }) => `${id} ${status}`)

describe('what is on its way', () => {
  it('looks queued until it is stored, also when it was accepted', () =>
    expect(shown(withOutgoing([stored('a', 'read')], [written('b', 'sending'), written('c', 'accepted')]))).toEqual([
      'a read',
      'b queued',
      'c queued',
    ]))

  it('is never shown twice', () =>
    expect(shown(withOutgoing([stored('a', 'sent')], [written('a', 'accepted')]))).toEqual(['a sent']))

  it('shows the tick of the server when the reply was lost but the message was stored', () =>
    expect(shown(withOutgoing([stored('a', 'delivered')], [written('a', 'failed')]))).toEqual(['a delivered']))

  it('looks queued again while a failed message is repeated, and failed when the server reports it again', () => {
    expect(shown(withOutgoing([stored('a', 'failed')], [written('a', 'sending')]))).toEqual(['a queued'])
    expect(shown(withOutgoing([stored('a', 'failed')], [written('a', 'accepted')]))).toEqual(['a failed'])
  })

  it('is forgotten once stored, and kept while it is only here', () => {
    const outgoing = [written('a', 'accepted'), written('b', 'sending'), written('c', 'failed')]
    const messages = [stored('a', 'sent'), stored('b', 'failed')]
    expect(stillOutgoing(outgoing, { messages, older: null }).map(({ id }) => id)).toEqual(['b', 'c'])
  })

  it('is stored when it was accepted and is older than what is loaded of its conversation', () => {
    const outgoing = [written('a', 'accepted'), written('b', 'sending'), written('c', 'failed')]
    const elsewhere = { ...written('d', 'accepted'), contactId: 'another' }
    const messages = [{ ...stored('late', 'sent'), timestamp: '2026-11-21T12:00:00.001Z' }]
    const left = (older: { cursor: string } | null) =>
      stillOutgoing([...outgoing, elsewhere], { messages, older }).map(({ id }) => id)
    expect(left({ cursor: 'older' })).toEqual(['b', 'c', 'd'])
    expect(left(null)).toEqual(['a', 'b', 'c', 'd'])
  })
})

describe('a file on its way', () => {
  const media: NonNullable<Outgoing['media']> = {
    as: 'voice',
    mediaType: 'audio/ogg; codecs=opus',
    bytes: 4_000,
    fileName: null,
    seconds: 3,
    width: null,
    height: null,
    waveform: [0, 50, 100],
    preview: null,
    uploadedId: null,
  }

  it('looks like what it will be', () => {
    const [shown] = withOutgoing([], [{ ...written('a', 'sending'), media }])
    expect(shown).toMatchObject({ kind: 'audio', media: { voice: true, seconds: 3, waveform: [0, 50, 100] } })
  })

  it('is still only here until the server has it', () => {
    expect(isUploading({ ...written('a', 'sending'), media })).toBe(true)
    expect(isUploading({ ...written('a', 'sending'), media: { ...media, uploadedId: 'f' } })).toBe(false)
    expect(isUploading(written('a', 'sending'))).toBe(false)
  })

  it('sends the server what it is, the loudness as bytes', () => {
    const body = requestOf({ ...written('a', 'sending'), content: '', media: { ...media, uploadedId: 'f' } })
    expect(body).toMatchObject({ messageId: 'a', media: { id: 'f', as: 'voice', seconds: 3 } })
    expect([...atob(body.media?.waveform ?? '')].map((byte) => byte.charCodeAt(0))).toEqual([0, 50, 100])
  })

  it('goes again as it was when the history shows that it failed', () => {
    const failed = someMessage({
      id: 'a',
      contactId: 'c',
      sender: 'user',
      status: 'failed',
      kind: 'image',
      content: 'A vitrine',
      media: someMedia({ width: 800, height: 600, preview: 'data:image/jpeg;base64,AAAA' }),
      quoted: { id: 'q', content: 'Tem foto?', sender: 'contact' },
    })
    expect(requestOf(asOutgoing(failed))).toMatchObject({
      messageId: 'a',
      message: 'A vitrine',
      quotedMessageId: 'q',
      media: { id: failed.media?.id, as: 'image', width: 800, height: 600, preview: 'AAAA' },
    })
  })
})
