import { randomUUID } from 'node:crypto'
import { until } from '@prosa/kernel/testing/until'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { arrived, type TestContacts, testContacts } from '../testing/test-contacts.ts'

let service: TestContacts
beforeAll(async () => {
  service = await testContacts()
})
afterAll(() => service.stop())

const conversation = async () => {
  const shop = await service.shop()
  await shop.receives(arrived('Vocês abrem domingo?', { messageId: 'ASKED' }))
  const [received] = await until(async () => {
    const found = await shop.events('MessageReceived')
    return found.length > 0 && found
  })
  const contactId = received?.stream.slice('chat-'.length) ?? ''
  const send = async (body: object) => {
    const reply = await shop.ask('POST', '/send-message', { connectionId: shop.connectionId, contactId, ...body })
    return String(reply.json().id)
  }
  const reports = (type: 'MessageDispatched' | 'DispatchFailed', messageId: string) =>
    shop.receives(
      type === 'MessageDispatched'
        ? { type, data: { messageId, contactId } }
        : { type, data: { messageId, contactId, code: '463' } },
    )
  const id = await send({ message: 'Abrimos das 7h às 13h' })
  await reports('MessageDispatched', id)
  await until(async () => (await shop.events('MessageSent')).length === 1)
  const url = (messageId: string) => `/contacts/${contactId}/messages/${messageId}`
  const edit = (message: string, messageId = id) => shop.ask('PATCH', url(messageId), { message })
  const remove = (messageId = id) => shop.ask('DELETE', url(messageId))
  const refusalOf = async (reply: ReturnType<typeof edit>) => {
    const { statusCode, json } = await reply
    return [statusCode, json().type]
  }
  return { ...shop, contactId, id, url, send, edit, remove, refusalOf, reports }
}

describe('an edit by an attendant', () => {
  it('is queued for the connection that sent the message, and comes true once WhatsApp took it', async () => {
    const { edit, events, id, contactId, connectionId, reports } = await conversation()
    const reply = await edit('Abrimos das 7h às 14h')
    expect([reply.statusCode, reply.json()]).toEqual([202, { messageId: id, contactId }])
    const [queued] = await events('EditQueued')
    expect(queued?.data).toMatchObject({
      messageId: id,
      connectionId,
      toJid: '1636@lid',
      content: { kind: 'text', text: 'Abrimos das 7h às 14h' },
    })
    expect(await events('MessageEdited')).toEqual([])
    const editId = queued && 'editId' in queued.data ? queued.data.editId : ''
    await reports('MessageDispatched', editId)
    await reports('MessageDispatched', editId)
    const [edited] = await until(async () => {
      const found = await events('MessageEdited')
      return found.length > 0 && found
    })
    expect(edited?.data).toMatchObject({
      messageId: id,
      correctionId: editId,
      content: { text: 'Abrimos das 7h às 14h' },
    })
  })

  it('with the words that the message has already is no edit, also while they are on their way', async () => {
    const { edit, events } = await conversation()
    expect((await edit('Abrimos das 7h às 13h')).statusCode).toBe(202)
    await edit('Abrimos às 8h')
    expect((await edit('Abrimos às 8h')).statusCode).toBe(202)
    expect(await events('EditQueued')).toHaveLength(1)
  })

  it('is carried out once, however often the request is repeated', async () => {
    const { request, url, id, events } = await conversation()
    for (let time = 0; time < 2; time++)
      await request('PATCH', `/api/whatsapp${url(id)}`, { message: 'uma vez' }, { 'idempotency-key': 'E' })
    expect(await events('EditQueued')).toHaveLength(1)
  })

  it('of a caption leaves the file; other kinds and blank words are refused', async () => {
    const { edit, send, record, events, refusalOf } = await conversation()
    const stored = async (mediaType: string) => {
      const mediaId = randomUUID()
      const data = { contactId: null, mediaType, bytes: 1000, sha256: '00' }
      await record(`media-${mediaId}`, { type: 'MediaStored', data })
      return mediaId
    }
    const picture = await send({ message: 'bolo', media: { id: await stored('image/jpeg'), as: 'image' } })
    expect((await edit('o bolo', picture)).statusCode).toBe(202)
    expect((await events('EditQueued'))[0]?.data).toMatchObject({ content: { kind: 'image', caption: 'o bolo' } })
    const bare = await send({ media: { id: await stored('image/jpeg'), as: 'image' } })
    expect(await refusalOf(edit('x', bare))).toEqual([409, 'message_not_editable'])
    const voice = await send({ media: { id: await stored('audio/ogg'), as: 'voice' } })
    expect(await refusalOf(edit('x', voice))).toEqual([409, 'message_not_editable'])
    expect(await refusalOf(edit('  '))).toEqual([422, 'invalid_request'])
  })

  it('is accepted for 15 minutes, a deletion for two days', async () => {
    const { edit, remove, receives, events, refusalOf } = await conversation()
    const writtenAgo = (minutes: number) => ({
      messageId: `AGO${minutes}`,
      fromMe: true,
      sentAt: new Date(Date.now() - minutes * 60_000).toISOString(),
    })
    const ages = [14, 16, 47 * 60, 49 * 60]
    await receives(...ages.map((minutes) => arrived('do celular', writtenAgo(minutes))))
    await until(async () => (await events('MessageSentElsewhere')).length === ages.length)
    expect((await edit('a tempo', 'AGO14')).statusCode).toBe(202)
    expect(await refusalOf(edit('tarde', 'AGO16'))).toEqual([409, 'edit_too_late'])
    expect((await remove(`AGO${47 * 60}`)).statusCode).toBe(202)
    expect(await refusalOf(remove(`AGO${49 * 60}`))).toEqual([409, 'deletion_too_late'])
  })

  it('needs an own message that went out; the line may be away', async () => {
    const { edit, remove, send, reports, record, connectionId, events, refusalOf } = await conversation()
    expect(await refusalOf(edit('x', 'NEVER'))).toEqual([404, 'message_not_found'])
    expect(await refusalOf(edit('x', 'ASKED'))).toEqual([409, 'message_not_own'])
    expect(await refusalOf(remove('ASKED'))).toEqual([409, 'message_not_own'])
    const lost = await send({ message: 'não vai' })
    await reports('DispatchFailed', lost)
    await until(async () => (await events('MessageFailed')).length === 1)
    expect(await refusalOf(edit('x', lost))).toEqual([409, 'message_not_sent'])
    await record(`connection-${connectionId}`, { type: 'LineDropped', data: { code: 428, reason: 'lost' } })
    expect((await edit('sem linha')).statusCode).toBe(202)
    await record(`connection-${connectionId}`, { type: 'ConnectionRemoved', data: {} })
    expect(await refusalOf(edit('sem conexão'))).toEqual([409, 'message_line_removed'])
  })

  it('may be made of what was written on the phone', async () => {
    const { receives, edit, events, connectionId } = await conversation()
    await receives(arrived('do celular', { messageId: 'PHONE', fromMe: true }))
    await until(async () => (await events('MessageSentElsewhere')).length === 1)
    expect((await edit('do Prosa', 'PHONE')).statusCode).toBe(202)
    expect((await events('EditQueued'))[0]?.data).toMatchObject({ messageId: 'PHONE', connectionId })
  })

  it('does not reach into another tenant’s chats', async () => {
    const [mine, theirs] = [await conversation(), await conversation()]
    const reply = await mine.ask('PATCH', theirs.url(theirs.id), { message: 'x' })
    expect([reply.statusCode, reply.json().type]).toEqual([404, 'contact_not_found'])
    expect((await mine.ask('DELETE', theirs.url(theirs.id))).statusCode).toBe(404)
  })
})

describe('a deletion by an attendant', () => {
  it('is queued once, comes true once WhatsApp took it, and is shown as failed when it was refused', async () => {
    const { remove, events, id, reports } = await conversation()
    for (let time = 0; time < 2; time++) expect((await remove()).statusCode).toBe(202)
    const [first, ...others] = await events('DeletionQueued')
    expect(others).toEqual([])
    await reports('DispatchFailed', first && 'deletionId' in first.data ? first.data.deletionId : '')
    await until(async () => (await events('CorrectionFailed')).length === 1)
    await remove()
    const again = (await events('DeletionQueued'))[1]
    await reports('MessageDispatched', again && 'deletionId' in again.data ? again.data.deletionId : '')
    const [deleted] = await until(async () => {
      const found = await events('MessageDeleted')
      return found.length > 0 && found
    })
    expect(deleted?.data).toMatchObject({ messageId: id, by: 'user' })
    expect((await remove()).statusCode).toBe(202)
    expect(await events('DeletionQueued')).toHaveLength(2)
  })
})
