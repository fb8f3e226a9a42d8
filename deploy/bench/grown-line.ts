import type { AnyEvent } from '@prosa/contracts/events/all-events'
import { userSubject } from '@prosa/contracts/events/subjects'
import { streamName } from '@prosa/contracts/streams'
import { deriveId } from '@prosa/kernel/derive-id'
import type { Ports } from '@prosa/kernel/ports'
import { withoutTimeout } from '@prosa/kernel/postgres/without-timeout'
import type { ArrivedMessage } from '@prosa/sessions/domain/line'

const eventsAtOnce = 500
const people = 200
const contactId = deriveId('growth bench contact')

export const jidOf = (person: number): string => `${100_000_000_000 + person}@lid`
export const messageIdOf = (index: number): string => `3EB0${index.toString(16).toUpperCase().padStart(16, '0')}`

const moment = (seconds: number) => new Date(Date.UTC(2026, 0, 1) + seconds * 1000).toISOString()

export const arrivalOf = (index: number): ArrivedMessage => ({
  messageId: messageIdOf(index),
  chatJid: jidOf(index % people),
  alternateJid: null,
  fromMe: false,
  pushName: 'Cliente',
  sentAt: moment(index),
  via: 'notify',
  content: { kind: 'text', text: `Mensagem ${index}, com tantas palavras como uma pergunta costuma ter` },
  raw: '',
})

/** A question, an answer and its two receipts: a quarter of the events are inbound. */
const eventAt = (index: number): AnyEvent => {
  if (index % 4 === 0) return { type: 'MessageArrived', data: arrivalOf(index) }
  const about = { messageId: messageIdOf(index - (index % 4) + 1), contactId }
  if (index % 4 === 1) return { type: 'MessageDispatched', data: about }
  return { type: 'DeliveryReported', data: { ...about, status: index % 4 === 2 ? 'delivered' : 'read' } }
}

/** Appends a long stream through the store, without snapshots. */
export const growLine = async (
  { store, codec, subjectKeys }: Pick<Ports, 'store' | 'codec' | 'subjectKeys'>,
  { connectionId, tenant, events }: { connectionId: string; tenant: string; events: number },
): Promise<void> => {
  const stream = streamName('line', connectionId)
  await subjectKeys.toEncrypt([userSubject(tenant)])
  for (let start = 0; start < events; start += eventsAtOnce) {
    const length = Math.min(eventsAtOnce, events - start)
    const identified = Array.from({ length }, (_, step) => {
      const id = deriveId('growth bench', stream, start + step)
      const actor = { kind: 'whatsapp', id: connectionId } as const
      const metadata = { causationId: id, correlationId: id, actor, tenant, recordedAt: moment(start + step) }
      return { id, stream, event: eventAt(start + step), metadata }
    })
    const expected = start === 0 ? 'no_stream' : BigInt(start - 1)
    const appended = await store.append(stream, expected, await codec.encode(identified))
    if (!appended.ok) throw new Error(`${stream} does not stand where it was left`)
  }
}

export const copyLine = async (
  { pool }: Pick<Ports, 'pool'>,
  connectionId: string,
  others: readonly string[],
): Promise<void> => {
  for (const other of others)
    await pool.query(
      withoutTimeout(`insert into es.event (position, stream, revision, id, type, data, metadata)
        select (select max(position) from es.event) + revision + 1, 'line-${other}', revision, id, type, data, metadata
        from es.event where stream = 'line-${connectionId}' order by revision`),
    )
}
