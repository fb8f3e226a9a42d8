import { randomUUID } from 'node:crypto'
import type { StoredOf } from '@prosa/kernel/event-store/codec'
import { until } from '@prosa/kernel/testing/until'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { conversationIn } from '../testing/conversation-in.ts'
import { type TestContacts, testContacts } from '../testing/test-contacts.ts'
import { variableOf } from './contact-fields.ts'

let service: TestContacts
beforeAll(async () => {
  service = await testContacts()
})
afterAll(() => service.stop())

const desk = async () => {
  const shop = await conversationIn(service)
  const create = (name: string, type = 'text') => shop.request('POST', '/api/contact-fields', { name, type })
  const newField = async (name: string, type = 'text'): Promise<string> => (await create(name, type)).json().id
  const put = (fieldId: string, value: string, contactId = shop.contactId) =>
    shop.request('PUT', `/api/whatsapp/contacts/${contactId}/fields/${fieldId}`, { value })
  const values = async () =>
    ((await shop.events('ContactFieldSet')) as StoredOf<'ContactFieldSet'>[]).map(({ data }) => data.value)
  const requests = (step: number, fieldId: string, type: 'text' | 'date', value: string) =>
    shop.record(`flowRun-${shop.contactId}`, {
      type: 'FlowFieldRequested',
      data: { flowId: randomUUID(), runId: randomUUID(), version: 1, step, nodeId: 'q', fieldId, type, value },
    })
  return { ...shop, create, newField, put, values, requests }
}

it('a field is named in texts by a variable that follows from its name', () => {
  expect(['Data de nascimento', '  CPF ', '2º telefone', 'Ação!', 'x'.repeat(60)].map(variableOf)).toEqual([
    'data_de_nascimento',
    'cpf',
    'campo_2o_telefone',
    'acao',
    'x'.repeat(40),
  ])
})

describe('fields of contacts', () => {
  it('are created, renamed without another variable, and deleted, also twice', async () => {
    const { create, request, tenant } = await desk()
    const created = await create(' Data de  nascimento', 'date')
    const { id } = created.json()
    const field = { id, name: 'Data de nascimento', variable: 'data_de_nascimento', type: 'date' }
    expect([created.statusCode, created.json()]).toEqual([201, field])
    const renamed = await request('PATCH', `/api/contact-fields/${id}`, { name: 'Aniversário' })
    expect(renamed.json()).toEqual({ ...field, name: 'Aniversário' })
    for (let time = 0; time < 2; time++)
      expect((await request('DELETE', `/api/contact-fields/${id}`)).statusCode).toBe(200)
    const stored: string[] = []
    for await (const page of service.ports.store.read(`contactField-${tenant}`))
      stored.push(...page.map(({ type }) => type))
    expect(stored).toEqual(['ContactFieldCreated', 'ContactFieldRenamed', 'ContactFieldDeleted'])
  })

  it('share no name or variable, are none of Prosa’s own, and are thirty at most', async () => {
    const { create } = await desk()
    const replies = await Promise.all(['Cidade', 'cidade', 'CIDADE'].map((name) => create(name)))
    expect(replies.map(({ statusCode }) => statusCode).sort()).toEqual([201, 409, 409])
    expect((await create('Nome')).json().type).toBe('contact_field_name_taken')
    expect((await create('123')).json().errors).toEqual([{ field: 'name', message: 'Dê um nome ao campo.' }])
    expect((await create('Anexo', 'file')).statusCode).toBe(422)
    for (let count = 1; count < 30; count++) expect((await create(`Campo ${count}`)).statusCode).toBe(201)
    expect((await create('Mais um')).json().type).toBe('too_many_contact_fields')
  })

  it('take a value as people write it, store it as its type does, and are emptied', async () => {
    const { newField, put, values } = await desk()
    const birthday = await newField('Nascimento', 'date')
    expect((await put(birthday, '15/03/85')).json()).toEqual({ id: birthday, value: '1985-03-15' })
    await put(birthday, '1985-03-15')
    const wrong = await put(birthday, '31/02')
    expect([wrong.statusCode, wrong.json().errors]).toEqual([
      422,
      [{ field: 'value', message: 'Escreva uma data, como 27/11/2026.' }],
    ])
    expect((await put(birthday, ' ')).json()).toEqual({ id: birthday, value: null })
    await put(birthday, '')
    expect(await values()).toEqual(['1985-03-15', null])
    expect((await put(randomUUID(), 'x')).statusCode).toBe(404)
  })

  it('are set by a flow, once, unless the field is gone or holds another type', async () => {
    const { newField, request, requests, values, events } = await desk()
    const [city, gone] = [await newField('Cidade'), await newField('Antigo')]
    await request('DELETE', `/api/contact-fields/${gone}`)
    await requests(1, gone, 'text', 'Natal')
    await requests(2, city, 'date', '2026-11-27')
    await requests(3, city, 'text', 'Natal')
    await requests(4, city, 'text', 'Natal')
    await requests(5, city, 'text', 'Recife')
    await until(async () => (await values()).length >= 2)
    expect(await values()).toEqual(['Natal', 'Recife'])
    const [set] = await events('ContactFieldSet')
    expect(set?.metadata.actor.kind).toBe('flow')
  })
})
