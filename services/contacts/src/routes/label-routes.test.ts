import { randomUUID } from 'node:crypto'
import { maximumContactsAtOnce } from '@prosa/contracts/values/lengths'
import { defaultBudgets } from '@prosa/product/budgets'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type TestContacts, testContacts } from '../testing/test-contacts.ts'

let service: TestContacts
beforeAll(async () => {
  service = await testContacts()
})
afterAll(() => service.stop())

let numbers = 0
const desk = async () => {
  const shop = await service.shop()
  const create = (body: object = { name: 'Fiel', colour: 'green' }, headers = {}) =>
    shop.request('POST', '/api/labels', body, headers)
  const newLabel = async (name: string): Promise<string> => (await create({ name, colour: 'blue' })).json().id
  const newContact = async (): Promise<string> => {
    const phone = `55119${String(80000000 + ++numbers)}`
    return (await shop.ask('POST', '/contacts', { phone })).json().id
  }
  const put = (labelId: string, contactIds: string[], isLabelled = true, headers = {}) =>
    shop.request('POST', `/api/labels/${labelId}/contacts`, { contactIds, isLabelled }, headers)
  return { ...shop, create, newLabel, newContact, put }
}

describe('labels', () => {
  it('are created, renamed, given another colour and deleted', async () => {
    const { create, request, events } = await desk()
    const created = await create({ name: '  Cliente \n fiel ', colour: 'green' })
    const { id } = created.json()
    expect([created.statusCode, created.json()]).toEqual([201, { id, name: 'Cliente fiel', colour: 'green' }])
    const changed = await request('PATCH', `/api/labels/${id}`, { name: 'VIP', colour: 'pink' })
    expect([changed.statusCode, changed.json()]).toEqual([200, { id, name: 'VIP', colour: 'pink' }])
    for (let time = 0; time < 2; time++) {
      const deleted = await request('DELETE', `/api/labels/${id}`)
      expect([deleted.statusCode, deleted.json()]).toEqual([200, { id }])
    }
    expect(await events('LabelCreated', 'LabelRenamed', 'LabelRecoloured', 'LabelDeleted')).toHaveLength(4)
    expect((await request('PATCH', `/api/labels/${id}`, { name: 'Outra' })).statusCode).toBe(404)
  })

  it('count each contact that they are put on for the day’s changes of the account', async () => {
    const { tenant, newLabel, newContact, put, events } = await desk()
    const [label, contacts] = [await newLabel('Fiel'), [await newContact(), await newContact(), await newContact()]]
    // Leaves two changes of the day's budget.
    await service.ports.pool.query(
      `update tenant_spending set amount = $2 where owner = $1 and kind = 'changesPerDay'`,
      [tenant, defaultBudgets.changesPerDay],
    )
    let isLeft = true
    while (isLeft) isLeft = await service.ports.spending.spendToday(tenant, 'changesPerDay', 1)
    await service.ports.pool.query(
      `update tenant_spending set amount = amount - 2 where owner = $1 and kind = 'changesPerDay'`,
      [tenant],
    )
    const refused = await put(label, contacts)
    expect([refused.statusCode, refused.json().type]).toEqual([429, 'day_used_up'])
    expect(await events('ContactLabelled')).toHaveLength(0)
  })

  it('share no name, also when many are created in the same moment', async () => {
    const { create, events } = await desk()
    const replies = await Promise.all(['fiel', 'FIEL', 'fíel', 'Fiel'].map((name) => create({ name, colour: 'red' })))
    expect(replies.map(({ statusCode }) => statusCode).sort()).toEqual([201, 409, 409, 409])
    expect(replies.find(({ statusCode }) => statusCode === 409)?.json()).toMatchObject({
      type: 'label_name_taken',
      errors: [{ field: 'name', message: 'Já existe uma etiqueta com este nome.' }],
    })
    expect(await events('LabelCreated')).toHaveLength(1)
  })

  it.each([
    [{ name: '  ', colour: 'red' }, 'name', 'Dê um nome à etiqueta.'],
    [{ colour: 'red' }, 'name', 'Dê um nome à etiqueta.'],
    [{ name: 'x'.repeat(31), colour: 'red' }, 'name', 'O nome pode ter no máximo 30 caracteres.'],
    [{ name: 'Fiel', colour: '#ff0000' }, 'colour', 'Escolha uma cor da paleta.'],
  ])('need a name and a colour of the palette: %o', async (body, field, message) => {
    const reply = await (await desk()).create(body)
    expect([reply.statusCode, reply.json().errors]).toEqual([422, [{ field, message }]])
  })
})

describe('a label on contacts', () => {
  it('is put on many at once and taken off again, each once', async () => {
    const { newLabel, newContact, put, events } = await desk()
    const [label, contacts] = [await newLabel('Fiel'), [await newContact(), await newContact()]]
    for (let time = 0; time < 2; time++) {
      const reply = await put(label, [...contacts, ...contacts])
      expect([reply.statusCode, reply.json()]).toEqual([200, { id: label, isLabelled: true, refused: [] }])
    }
    expect(await events('ContactLabelled')).toHaveLength(2)
    for (let time = 0; time < 2; time++) expect((await put(label, contacts, false)).statusCode).toBe(200)
    expect(await events('ContactUnlabelled')).toHaveLength(2)
  })

  it('is put on once when the request is repeated, although it was taken off since', async () => {
    const { newLabel, newContact, put, events } = await desk()
    const [label, contact] = [await newLabel('Fiel'), await newContact()]
    const headers = { 'idempotency-key': randomUUID() }
    await put(label, [contact], true, headers)
    await put(label, [contact], false)
    expect((await put(label, [contact], true, headers)).json().refused).toEqual([])
    expect(await events('ContactLabelled')).toHaveLength(1)
  })

  it('reports each contact that it could not be put on, and is on the others', async () => {
    const [{ newLabel, newContact, put, events, ask }, other] = [await desk(), await desk()]
    const [label, contact, erased] = [await newLabel('Fiel'), await newContact(), await newContact()]
    await ask('DELETE', `/contacts/${erased}`)
    const [foreign, nobody] = [await other.newContact(), randomUUID()]
    const reply = await put(label, [foreign, contact, nobody, erased])
    const gone = { type: 'contact_not_found', title: 'Contato não encontrado.' }
    expect([reply.statusCode, reply.json().refused]).toEqual([
      200,
      [foreign, nobody, erased].map((contactId) => ({ contactId, ...gone })),
    ])
    expect((await events('ContactLabelled')).map(({ stream }) => stream)).toEqual([`contact-${contact}`])
    expect(await other.events('ContactLabelled')).toEqual([])
  })

  it('is one of 20 at most, of those that were not deleted', async () => {
    const { newLabel, newContact, put, request } = await desk()
    const [contact, labels] = [await newContact(), [] as string[]]
    for (let index = 0; index < 21; index++) labels.push(await newLabel(`Etiqueta ${index}`))
    for (const label of labels.slice(0, 20)) expect((await put(label, [contact])).json().refused).toEqual([])
    const last = labels[20] ?? ''
    expect((await put(last, [contact])).json().refused).toEqual([
      {
        contactId: contact,
        type: 'too_many_labels_on_contact',
        title: 'Este contato já tem 20 etiquetas. Tire uma para pôr outra.',
      },
    ])
    await request('DELETE', `/api/labels/${labels[3]}`)
    expect((await put(last, [contact])).json().refused).toEqual([])
  })

  it('must be the subscriber’s own, and stand', async () => {
    const [mine, other] = [await desk(), await desk()]
    const contact = await mine.newContact()
    const deleted = await mine.newLabel('Antiga')
    await mine.request('DELETE', `/api/labels/${deleted}`)
    for (const label of [await other.newLabel('Fiel'), deleted, 'nenhuma']) {
      const reply = await mine.put(label, [contact])
      expect([reply.statusCode, reply.json().type]).toEqual([404, 'label_not_found'])
    }
  })

  it.each([
    [[], 'Escolha de 1 a 500 contatos.'],
    [Array.from({ length: maximumContactsAtOnce + 1 }, () => randomUUID()), 'Escolha de 1 a 500 contatos.'],
    [['x'.repeat(10_000)], 'Contato não encontrado.'],
  ])('names from 1 to 500 contacts by their ids (%#)', async (contactIds, message) => {
    const { newLabel, put } = await desk()
    const reply = await put(await newLabel('Fiel'), contactIds)
    expect([reply.statusCode, reply.json().errors[0].message]).toEqual([422, message])
  })
})
