import type { Message } from '@prosa/contracts/http/live-chat'
import { describe, expect, it } from 'vitest'
import { type Outgoing, stillOutgoing, withOutgoing } from './outgoing.ts'

const stored = (id: string, status: Message['status']): Message => ({
  id,
  contactId: 'c',
  content: id,
  kind: 'text',
  sender: 'user',
  timestamp: '2026-11-21T12:00:00.000Z',
  status,
  failure: null,
  sentElsewhere: false,
})
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

  it('looks queued again while a failed message is repeated, and failed when the server says so again', () => {
    expect(shown(withOutgoing([stored('a', 'failed')], [written('a', 'sending')]))).toEqual(['a queued'])
    expect(shown(withOutgoing([stored('a', 'failed')], [written('a', 'accepted')]))).toEqual(['a failed'])
  })

  it('is forgotten once stored, and kept while it is only here', () => {
    const outgoing = [written('a', 'accepted'), written('b', 'sending'), written('c', 'failed')]
    expect(stillOutgoing(outgoing, [stored('a', 'sent'), stored('b', 'failed')]).map(({ id }) => id)).toEqual([
      'b',
      'c',
    ])
  })
})
