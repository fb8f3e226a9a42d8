import { randomBytes, randomUUID } from 'node:crypto'
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { starterFlow } from '@prosa/contracts/flows/new-node'
import type { Contact } from '@prosa/contracts/http/live-chat'
import { type Category, categories } from '@prosa/contracts/streams'
import { user } from '@prosa/identity/accounts/user'
import { commandHandler } from '@prosa/kernel/domain/command-handler'
import type { Stored } from '@prosa/kernel/event-store/codec'
import { beginning } from '@prosa/kernel/event-store/port'
import { diskFileStore } from '@prosa/kernel/files/disk'
import { createLog } from '@prosa/kernel/observability/log'
import { type TestPostgres, testPostgres } from '@prosa/kernel/postgres/testing'
import { until } from '@prosa/kernel/testing/until'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type Product, startProduct } from './product.ts'
import { readModelsAgainstLog } from './read-models-against-log.ts'
import { dumpOf, filesOf, tracesOf } from './traces.ts'
import type { Visitor } from './visitor.ts'

const everyCategory = Object.keys(categories)
const secret = randomBytes(32)
let database: TestPostgres
let product: Product
let attendant: Visitor
let connectionId: string
let folder: string
let logged = ''
const log = createLog('trace', {
  write(line) {
    logged += line
  },
})

const shopNumber = '5511900000001'
const number = '5511977001122'

const written = [
  'Olá, aqui é a Ana Planta-Recebida Um',
  'Meu e-mail é ana.planta@correio-recebido.example',
  'CPF 529.982.247-25 para a nota, por favor',
  'Moro na Rua das Palmeiras-Plantadas, 77',
  'Minha alergia é a amendoim-plantado 🥜',
  'Nasci em 31/02/1977, planta-sete',
  'Meu cartão termina em 4021-plantado',
  'A senha do portão é planta-9931',
  'Meu marido se chama Zé Plantado-Dez',
]
const answered = [
  'Ana Planta-Respondida, anotado!',
  'Entregamos na Palmeiras-Respondida',
  'O total da planta-doze é R$ 80',
]
const onThePhone = ['Escrevi do celular planta-treze', 'Do celular ainda: planta-quatorze']
const names = ['Ana Planta-Apelido', 'Ana Planta-Renomeada']
const known = ['Ana Planta-Chamada', 'Nota: paga na planta-dezoito']
const addedLater = 'Tchau, planta-dezessete'
const inFiles = ['Receita planta-em-arquivo da Ana', 'Orçamento planta-em-arquivo para a Ana']
const fileNames = ['receita-planta-nome.txt', 'orcamento-planta-nome.txt']

const storedFiles = async () => {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true })
  const files = entries.filter((entry) => entry.isFile()).map(({ parentPath, name }) => join(parentPath, name))
  return Buffer.concat(await Promise.all(files.map((file) => readFile(file))))
}

const everything = async (): Promise<Stored[]> => {
  const events: Stored[] = []
  for await (const page of product.ports.store.readAll(beginning, {
    categories: Object.keys(categories) as Category[],
  }))
    events.push(...(await product.ports.codec.decode(page.events)))
  return events
}

const eventRows = async () => {
  const { rows } = await database.pool.query<{ row: string }>('select e::text as row from es.event e')
  return rows.map(({ row }) => row).join('\n')
}

const isErased = async (subject: string) => {
  const { rows } = await database.pool.query('select from subject_key where subject = $1 and wrapped is not null', [
    subject,
  ])
  return rows.length === 0
}

beforeAll(async () => {
  database = await testPostgres()
  folder = await mkdtemp(join(tmpdir(), 'prosa-erased-'))
  product = await startProduct({ database, secret, log, files: diskFileStore(folder) })
  attendant = await product.visitor().register()
  const shop = product.whatsapp.addPhone(shopNumber, 'Padaria Planta-Dona')
  ;({ id: connectionId } = await attendant.link(shop, 'Conexão Planta-Balcão'))
}, 60_000)
afterAll(async () => {
  await product.stop()
  await database.drop()
  await rm(folder, { recursive: true, force: true })
})

let planted: string[]

describe('erasing a contact', () => {
  let contactId: string
  let proof: Stored | undefined

  it('starts from personal data that is nowhere in plain in the log, and is in the read models', async () => {
    const ana = product.whatsapp.addPhone(number, names[0] ?? '')
    for (const text of written.slice(0, 5)) await ana.sendText(shopNumber, text)
    ana.account.name = names[1] ?? ''
    for (const text of written.slice(5)) await ana.sendText(shopNumber, text)
    const contact = await until<Contact | undefined>(async () =>
      (await attendant.contacts('waiting')).find(({ phone }) => phone === number),
    )
    contactId = contact.id
    for (const text of answered) await attendant.send(connectionId, contactId, text)
    const shop = product.whatsapp.phones.get(shopNumber)
    for (const text of onThePhone) await shop?.sendText(number, text)
    await ana.sendText(shopNumber, addedLater)
    const about = `/api/whatsapp/contacts/${contactId}`
    expect((await attendant.ask('PUT', `${about}/name`, { name: known[0] })).status).toBe(200)
    await attendant.post(`${about}/notes`, { text: known[1] })
    planted = [
      ...written,
      ...answered,
      ...onThePhone,
      ...names,
      ...known,
      addedLater,
      number,
      ana.account.lidUser,
      number.slice(4),
    ]
    expect(new Set(planted).size).toBe(22)

    const [received = '', sent = ''] = inFiles
    const document = { mimetype: 'text/plain', fileName: fileNames[0] }
    await ana.sendMedia(shopNumber, 'document', Buffer.from(received), document)
    const { id: mediaId } = await attendant.post<{ id: string }>('/api/whatsapp/media', Buffer.from(sent))
    const media = { id: mediaId, as: 'document', fileName: fileNames[1] }
    await attendant.post('/api/whatsapp/send-message', { connectionId, contactId, media })
    planted.push(...inFiles, ...fileNames)

    const messages = written.length + answered.length + onThePhone.length + 1 + inFiles.length
    await until(async () => {
      const shown = await attendant.messages(contactId)
      return shown.length === messages && shown.filter((each) => each.media?.status === 'ready').length === 2
    })
    expect(tracesOf(inFiles, await storedFiles())).toEqual(inFiles)
    await until(async () => {
      const { rows } = await database.pool.query("select from outbox where state <> 'dispatched'")
      return rows.length === 0
    })
    // Draining stores snapshots, so that this chat and its line are in them.
    await until(async () => {
      await product.ports.snapshots.drain()
      const { rows } = await database.pool.query("select from stream_snapshot where decider in ('chat', 'line')")
      return rows.length === 2
    })
    expect(tracesOf(planted, await eventRows())).toEqual([])
    const dump = [...(await dumpOf(database.pool)).values()].join('\n')
    expect(planted.filter((text) => !tracesOf([text], dump).length)).toEqual([names[0], ...inFiles])
    expect(tracesOf(planted, await filesOf(database.pool)).length).toBeGreaterThanOrEqual(19)
    const inEvents = planted.filter((text) => !inFiles.includes(text))
    expect(tracesOf(planted, JSON.stringify((await everything()).map(({ data }) => data)))).toEqual(inEvents)
  })

  it('is refused to others', async () => {
    const stranger = await product.visitor().register()
    expect((await stranger.ask('DELETE', `/api/whatsapp/contacts/${contactId}`)).status).toBe(404)
    expect((await attendant.ask('DELETE', `/api/whatsapp/contacts/${randomUUID()}`)).status).toBe(404)
    expect((await attendant.messages(contactId)).length).toBeGreaterThan(0)
  })

  it('leaves a proof without personal data, and 0 of 22 planted strings anywhere', async () => {
    expect((await attendant.ask('DELETE', `/api/whatsapp/contacts/${contactId}`)).status).toBe(200)
    expect((await attendant.ask('GET', `/api/whatsapp/contacts/${contactId}`)).status).toBe(404)
    await until(() => isErased(`contact:${contactId}`))
    await until(async () => (await database.pool.query('select from chat_message')).rowCount === 0)
    await until(async () => (await database.pool.query('select from outbox')).rowCount === 0)

    proof = (await everything()).find(({ type }) => type === 'ContactErased')
    expect(proof).toMatchObject({ stream: `contact-${contactId}`, data: {}, metadata: { actor: { kind: 'user' } } })
    const dump = await dumpOf(database.pool)
    expect(dump.get('es.event')).toContain('ContactErased')
    for (const [table, rows] of dump) expect([table, tracesOf(planted, rows)]).toEqual([table, []])
    // VACUUM removes a row once no running query can see it.
    await until(async () => tracesOf(planted, await filesOf(database.pool)).length === 0, 50_000)
    await until(async () => tracesOf(planted, await storedFiles()).length === 0)
    expect(logged).toContain('service mounted')
    expect(tracesOf(planted, logged)).toEqual([])
  })

  it('asked for twice changes nothing more', async () => {
    expect((await attendant.ask('DELETE', `/api/whatsapp/contacts/${contactId}`)).status).toBe(200)
    expect((await everything()).filter(({ type }) => type === 'ContactErased')).toHaveLength(1)
  })

  it('shows [apagado] to whoever replays the log, and every read model is still the fold of it', async () => {
    const events = await everything()
    const received = events.filter(({ type }) => type === 'MessageReceived' || type === 'MessageArrived')
    expect(received.length).toBeGreaterThanOrEqual(2 * written.length)
    for (const { data } of received) expect(data).toMatchObject({ content: { kind: 'text', text: '[apagado]' } })
    expect(tracesOf(planted, JSON.stringify(events.map(({ data }) => data)))).toEqual([])
    expect(await readModelsAgainstLog(product.ports, database.pool)).toEqual([])
  })

  it('lets the same person come back as a new contact', async () => {
    const ana = product.whatsapp.phones.get(number)
    await ana?.sendText(shopNumber, 'Voltei, sou eu')
    const contact = await until<Contact | undefined>(async () =>
      (await attendant.contacts('waiting')).find(({ phone }) => phone === number),
    )
    expect(contact.id).not.toBe(contactId)
    const messages = await until(async () => {
      const found = await attendant.messages(contact.id)
      return found.length > 0 && found
    })
    expect(messages.map(({ content }) => content)).toEqual(['Voltei, sou eu'])
  })
})

describe('erasing an account', () => {
  const person = {
    firstName: 'Bia-Planta',
    lastName: 'Souza-Plantada',
    email: 'bia.planta@conta.example',
    password: 'uma senha comprida',
  }
  const profile = { firstName: 'Bianca-Planta', lastName: 'Lima-Plantada', email: 'bianca.planta@conta.example' }
  const shopOfBia = '5511900000077'
  const client = '5511977003344'
  const texts = ['Cliente da Bia, planta-um', 'Cliente da Bia, planta-dois']
  const asked = { subject: 'Assunto planta-suporte', message: 'Pergunta planta-suporte' }
  const drawn = { folder: 'Pasta planta-fluxos', flow: 'Fluxo planta-fluxo', words: 'Olá, planta-desenhada!' }
  const planted = [
    ...Object.values(drawn),
    ...[person.firstName, person.lastName, person.email],
    ...[profile.firstName, profile.lastName, profile.email],
    ...['Balcão Planta-Bia', shopOfBia, client, 'Caio Planta-Cliente', ...texts],
    ...[asked.subject, asked.message],
  ]
  let bia: Visitor
  let userId: string

  it('starts from data that is nowhere in plain in the log', async () => {
    bia = product.visitor()
    userId = (await bia.post<{ id: string }>('/api/auth/register', person)).id
    expect((await bia.ask('PUT', '/api/auth/user', { ...profile, currentPassword: person.password })).status).toBe(200)
    await bia.link(product.whatsapp.addPhone(shopOfBia, 'Floricultura Planta-Bia'), 'Balcão Planta-Bia')
    await bia.post('/api/support/requests', asked)
    const { id: folderId } = await bia.post<{ id: string }>('/api/flow-folders', { name: drawn.folder })
    const document = starterFlow()
    for (const node of document.nodes) if (node.type === 'message') node.data.message = drawn.words
    const flow = await bia.post<{ id: string }>('/api/flows', { name: drawn.flow, folderId, document })
    await bia.post(`/api/flows/${flow.id}/publish`, { basedOn: 0 })
    const caio = product.whatsapp.addPhone(client, 'Caio Planta-Cliente')
    for (const text of texts) await caio.sendText(shopOfBia, text)
    await until(async () => {
      const [contact] = await bia.contacts('waiting')
      const messages = contact ? await bia.messages(contact.id) : []
      const shown = JSON.stringify(messages)
      return [...texts, drawn.words].every((text) => shown.includes(text))
    })
    expect(tracesOf(planted, await eventRows())).toEqual([])
    expect(tracesOf(planted, JSON.stringify((await everything()).map(({ data }) => data)))).toEqual(planted)
  })

  it('takes with it all contacts, connections, sessions and the claim of the address', async () => {
    const { store, codec, clock } = product.ports
    const users = commandHandler({
      store,
      codec,
      clock,
      service: 'identity',
      category: 'user',
      decider: user,
      foreign: 'wrong_credentials',
    })
    const erased = await users(
      userId,
      { type: 'EraseUser', data: {} },
      {
        commandId: randomUUID(),
        actor: { kind: 'admin', id: 'test' },
        tenant: userId,
        causationId: 'test',
        correlationId: 'test',
      },
    )
    expect(erased.ok).toBe(true)
    await until(async () => {
      const { rows } = await database.pool.query<{ subject: string }>(
        `select subject from subject_key where wrapped is not null and (subject like $1 or subject in (
           select regexp_replace(stream, '-', ':') from es.event where metadata->>'owner' = $2))`,
        [`address:${userId}:%`, userId],
      )
      return rows.length === 0 && (await isErased(`user:${userId}`))
    })
    await until(async () => {
      const dump = [...(await dumpOf(database.pool)).values()].join('\n')
      return tracesOf(planted, dump).length === 0
    })
    await until(async () => tracesOf(planted, await filesOf(database.pool)).length === 0, 50_000)
    expect(tracesOf(planted, logged)).toEqual([])
    expect((await bia.ask('GET', '/api/auth/user')).status).toBe(401)
    for (const email of [person.email, profile.email])
      expect((await bia.ask('POST', '/api/auth/login', { email, password: person.password })).status).toBe(401)
    expect((await product.visitor().ask('POST', '/api/auth/register', { ...person, ...profile })).status).toBe(201)
    expect(await readModelsAgainstLog(product.ports, database.pool)).toEqual([])
  })
})

describe('after all erasures', () => {
  it('survives a replay of everything by every reader: nothing comes back, nothing is recorded twice', async () => {
    const before = await eventRows()
    await product.stop()
    const { rows: readers } = await database.pool.query<{ name: string }>('delete from checkpoint returning name')
    logged = ''
    product = await startProduct({ database, secret, log, files: diskFileStore(folder) })
    let end: string = beginning
    for await (const { upTo } of product.ports.store.readAll(beginning, { categories: everyCategory })) end = upTo
    await until(async () => {
      const { rows } = await database.pool.query<{ name: string; position: string }>('select * from checkpoint')
      const positions = new Map(rows.map(({ name, position }) => [name, position]))
      // The supervisor stores its checkpoint rarely.
      return readers.every(({ name }) => name.startsWith('supervise') || (positions.get(name) ?? '') >= end)
      // Files of days wait until no process has the key of an erased person any more.
    }, 150_000)
    expect(await readModelsAgainstLog(product.ports, database.pool)).toEqual([])
    const lines = (text: string) => text.split('\n').filter((line) => !line.includes('connection-'))
    expect(lines(await eventRows())).toEqual(lines(before))
    expect(logged.split('\n').filter((line) => line.includes('"level":50'))).toEqual([])
    expect(
      tracesOf(
        planted.filter((text) => !number.includes(text)),
        logged,
      ),
    ).toEqual([])
  })
})
