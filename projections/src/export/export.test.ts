import { Readable } from 'node:stream'
import { setTimeout as delay } from 'node:timers/promises'
import * as billing from '@prosa/contracts/events/billing'
import * as operations from '@prosa/contracts/events/operations'
import * as sessions from '@prosa/contracts/events/sessions'
import { erasedFlowDocument } from '@prosa/contracts/flows/flow-document'
import { starterFlow } from '@prosa/contracts/flows/new-node'
import { mediaFileName } from '@prosa/contracts/media-file-name'
import { photoFileName } from '@prosa/contracts/photo-file-name'
import { type Category, categories, parseStream } from '@prosa/contracts/streams'
import { at, idOf } from '@prosa/kernel/consumers/testing/test-log'
import type { Stored } from '@prosa/kernel/event-store/codec'
import { FilesUnavailable } from '@prosa/kernel/files/port'
import { sessionCookie } from '@prosa/kernel/http/sign-in/browser-sessions'
import { everythingIn } from '@prosa/kernel/testing/everything-in'
import { dataExportRoutes } from '@prosa/product/administration/data-export-routes'
import { exportSlots } from '@prosa/product/administration/export-slots'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { testProjections } from '../testing/test-projections.ts'
import { unzip } from '../testing/unzip.ts'
import type { EventLine } from './event-lines.ts'
import { withheldCategories, withheldFields } from './shown-data.ts'
import {
  ana,
  bia,
  erased,
  golden,
  hers,
  hidden,
  kinds,
  lost,
  menu,
  photo,
  portrait,
  rui,
  secrets,
  storeEverything,
  thiago,
} from './testing/stored-data.ts'

const time = { now: at(9000) }
let prosa: Awaited<ReturnType<typeof testProjections>>
beforeAll(async () => {
  prosa = await testProjections({ now: () => time.now })
  await prosa.app.register(dataExportRoutes(prosa.ports))
  await prosa.ports.files.put(mediaFileName(ana, photo), Readable.from([Buffer.from('foto')]), 100)
  await prosa.ports.files.put(mediaFileName(ana, menu), Readable.from([Buffer.from('cardápio')]), 100)
  await prosa.ports.files.put(photoFileName(ana, portrait, 256), Readable.from([Buffer.from('retrato')]), 100)
  const position = await storeEverything(prosa)
  await prosa.ports.readModels.reached(['account', 'history-places', 'contact-list'], position, 10_000)
}, 60_000)
afterAll(() => prosa.stop())

const cookieOf = async (user: string) => {
  const { token } = await prosa.ports.browserSessions.issue(user)
  return `${sessionCookie}=${token}`
}
const ask = async (user: string, url: string, payload: object = {}) => {
  const post = async () => prosa.app.inject({ method: 'POST', url, headers: { cookie: await cookieOf(user) }, payload })
  let reply = await post()
  if (reply.statusCode === 428) {
    await prosa.statePurpose(user, reply.json().tenantId)
    reply = await post()
  }
  return { status: reply.statusCode, body: reply.json() }
}
const download = async (user: string, url: string) =>
  prosa.app.inject({ method: 'GET', url, headers: { cookie: await cookieOf(user) } })
const filesIn = async (user: string, url: string) => {
  const reply = await download(user, url)
  expect([reply.statusCode, reply.statusCode === 200 ? '' : reply.body]).toEqual([200, ''])
  return unzip(reply.rawPayload)
}
const copyOf = async (user: string, body: object = {}) => {
  const { body: asked, status } = await ask(user, '/api/exports', body)
  expect([status, asked.type]).toEqual([201, undefined])
  return filesIn(user, `/api/exports/${asked.id}`)
}
const jsonIn = (files: Map<string, Buffer>, name: string) => JSON.parse(String(files.get(name)))
const linesIn = (files: Map<string, Buffer>): EventLine[] =>
  [...files]
    .filter(([name]) => name.endsWith('.ndjson'))
    .flatMap(([, content]) => String(content).split('\n').filter(Boolean))
    .map((line) => JSON.parse(line))
const recordOf = ({ stream, revision }: Stored) => `${stream} ${revision}`
const allText = (files: Map<string, Buffer>) => [...files].map(([name, content]) => `${name}\n${content}`).join('\n')

describe('a copy of an account', () => {
  it('holds every event of the account but those of named categories, and nobody else’s', async () => {
    const lines = new Set(linesIn(await copyOf(ana)).map(({ registro }) => registro))
    const log = await everythingIn(prosa.ports.store, ...(Object.keys(categories) as Category[]))
    const isAbout = ({ stream, metadata, data }: Stored) =>
      metadata.tenant === ana ||
      ('userId' in data && data.userId === ana) ||
      /-(delivery-)?(abc|presente)$/.test(stream)
    const own = log.filter(isAbout)
    const wanted = own.filter(({ stream }) => !Object.hasOwn(withheldCategories, parseStream(stream).category))
    expect(wanted.map(recordOf).filter((record) => !lines.has(record))).toEqual([])
    const foreign = new Set(log.filter((event) => !isAbout(event)).map(recordOf))
    expect([...lines].filter((record) => foreign.has(record))).toEqual([])
    const seen = new Set([...lines].map((record) => parseStream(record).category))
    const never = Object.keys(categories).filter((category) => !seen.has(category))
    expect(never.sort()).toEqual([...Object.keys(withheldCategories), 'entitlement', 'kiwifySubscription'].sort())
  })

  it('tries every type of event that a tenant can have', () => {
    const tried = new Set([...kinds.flatMap(([schemas]) => Object.keys(schemas)), ...Object.keys(sessions.mediaEvents)])
    const ofNobody = new Set([
      ...Object.keys(billing.billingEvents).filter((type) => !tried.has(type)),
      ...Object.keys(operations.operationsEvents),
      ...Object.keys(operations.readModelRebuildEvents),
    ])
    expect(golden.map(({ type }) => type).filter((type) => !tried.has(type) && !ofNobody.has(type))).toEqual([])
  })

  it('has no secret in it', async () => {
    const files = await copyOf(ana)
    const text = allText(files)
    expect(secrets.filter((secret) => text.includes(secret))).toEqual([])
    const named = linesIn(files).flatMap(({ dados }) => Object.keys(dados))
    expect(named.filter((field) => Object.hasOwn(withheldFields, field) || field === 'raw')).toEqual([])
  })

  it('names no other account, no buyer who is somebody else, and nobody who administers Prosa', async () => {
    const text = allText(await copyOf(ana))
    for (const words of ['floricultura', 'Segredo de Bia', 'mariana@', 'CPF de presente', 'celular presente'])
      expect([words, text.includes(words)]).toEqual([words, false])
    expect(text).toContain('CPF de abc')
    expect(text).toContain('celular abc')
    expect(text).toContain('[dado de outra pessoa]')
  })

  it('can be read by a person: profile, contacts, conversations, files, and a page that says what is what', async () => {
    await prosa.ports.browserSessions.issue(ana)
    const files = await copyOf(ana)
    expect(String(files.get('LEIA-ME.txt'))).toMatch(/^Seus dados no Prosa\nCópia feita em 21 de novembro de 2026/)
    const account = jsonIn(files, 'conta.json')
    expect(account.perfil).toMatchObject({ id: ana })
    expect(account.sessoesDeNavegador.length).toBeGreaterThan(0)
    expect(Object.keys(account.sessoesDeNavegador[0])).toEqual(['inicio', 'ultimoUso'])
    expect(account.compras.map(({ referencia }: { referencia: string }) => referencia).sort()).toEqual([
      'ABC',
      'PRESENTE',
    ])
    const listed = jsonIn(files, 'contatos.json').find(({ id }: { id: string }) => id === thiago)
    expect(listed).toMatchObject({
      nome: 'Thiago',
      telefone: '5511988776655',
      notas: [{ texto: 'Paga no fim do mês', escritaEm: expect.any(String) }],
      contatosUnidos: [{ id: hidden, nome: 'Thiago antigo' }],
      etiquetas: [],
      conversa: `conversas/${thiago}.json`,
    })
    expect(files.has(`conversas/${hidden}.json`)).toBe(false)
    expect(jsonIn(files, `conversas/${thiago}.json`)).toMatchObject([
      { id: 'm0', de: 'contato', texto: 'primeira mensagem' },
      { id: 'm1', texto: 'boa tarde', textoOriginal: 'bom dia', editadaEm: at(70) },
      { id: 'm2', texto: 'o bolo', midia: { arquivo: `midia/${photo}.jpg`, tipo: 'image/jpeg' } },
      { id: 'm3' },
      { id: 'm4', texto: 'o cardápio', automatica: 'fluxo', midia: { arquivo: `midia/${menu}.png` } },
      { tipo: 'aviso', texto: 'A conversa de outro contato foi unida a esta' },
    ])
    expect(String(files.get(`midia/${photo}.jpg`))).toBe('foto')
    expect(files.has(`midia/${lost}.jpg`)).toBe(false)
    expect(String(files.get('foto.webp'))).toBe('retrato')
    const spoken = linesIn(files).find(({ registro }) => registro === `contact-${thiago} 0`)
    expect(spoken).toMatchObject({ tipo: 'ContactAdded', frase: 'Thiago escreveu pela primeira vez' })
    expect(linesIn(files).some(({ registro }) => registro === `contact-${erased} 1`)).toBe(true)
  })

  it('names the flows and their folders; what each says stands in a file that can be imported', async () => {
    const [id, folderId] = [idOf('flow of ana'), idOf('folder of ana')]
    await prosa.append(ana, `flowFolder-${folderId}`, {
      type: 'FlowFolderCreated',
      data: { name: 'Encomendas', description: 'Do pedido à entrega', isSample: false },
    })
    const document = starterFlow()
    await prosa.append(ana, `flow-${id}`, {
      type: 'FlowCreated',
      data: { name: 'Bolo de festa', folderId, document, origin: 'new' },
    })
    await prosa.append(ana, `flow-${id}`, { type: 'FlowPublished', data: { version: 1, document } })
    const besideLog = idOf('flow of ana beside the log')
    const draft = { ...document, settings: { ...document.settings, silenceHours: 7 } }
    const text = JSON.stringify({ version: 1, document: draft })
    const digest = prosa.ports.drafts.digestOf(ana, text)
    await prosa.ports.drafts.write(ana, { id: besideLog, revision: 0, digest }, text)
    await prosa.append(ana, `flow-${besideLog}`, {
      type: 'FlowCreated',
      data: { name: 'Torta', folderId, document: erasedFlowDocument, origin: 'copy' },
    })
    await prosa.append(ana, `flow-${besideLog}`, {
      type: 'FlowDraftKept',
      data: { revision: 0, digest, sizeBytes: text.length, nodeCount: 2, fileIds: [], restoredVersion: null },
    })
    const files = await copyOf(ana)
    const account = jsonIn(files, 'conta.json')
    for (const [flowId, name, wanted] of [
      [id, 'Bolo de festa', document],
      [besideLog, 'Torta', draft],
    ] as const)
      expect(jsonIn(files, `fluxos/${flowId}.json`)).toEqual({
        format: 'prosa-flow',
        version: 1,
        name,
        document: wanted,
      })
    expect(account.pastasDeFluxos).toContainEqual(
      expect.objectContaining({ id: folderId, nome: 'Encomendas', descricao: 'Do pedido à entrega' }),
    )
    expect(account.fluxos).toContainEqual(
      expect.objectContaining({ id, nome: 'Bolo de festa', pasta: folderId, situacao: 'ativo', versao: 1 }),
    )
  })

  it('is handed out under a name that names nobody, and is kept by no cache', async () => {
    const { body } = await ask(ana, '/api/exports')
    const { headers } = await download(ana, `/api/exports/${body.id}`)
    expect(headers).toMatchObject({
      'content-type': 'application/zip',
      'content-disposition': 'attachment; filename="prosa-dados-2026-11-21.zip"',
      'cache-control': 'no-store',
      'x-content-type-options': 'nosniff',
    })
  })
})

describe('a copy of a contact', () => {
  it('holds that person only, with whoever turned out to be the same', async () => {
    const files = await copyOf(ana, { contactId: thiago })
    expect([...files.keys()].sort()).toEqual([
      'LEIA-ME.txt',
      'contato.json',
      `conversas/${thiago}.json`,
      'eventos/contato.ndjson',
      ...[`midia/${photo}.jpg`, `midia/${menu}.png`].sort(),
    ])
    expect(jsonIn(files, 'contato.json')).toMatchObject({ id: thiago, contatosUnidos: [{ id: hidden }] })
    const streams = new Set(linesIn(files).map(({ registro }) => registro.split(' ')[0]))
    expect([...streams].sort()).toEqual(
      [
        `chat-${hidden}`,
        `chat-${thiago}`,
        `contact-${hidden}`,
        `contact-${thiago}`,
        `media-${lost}`,
        `media-${menu}`,
        `media-${photo}`,
      ].sort(),
    )
    expect(secrets.filter((secret) => allText(files).includes(secret))).toEqual([])
  })

  it.each([
    ['another tenant’s', hers],
    ['nobody’s', idOf('nobody')],
    ['an erased one', erased],
  ])('is refused for %s, and no fact is made', async (_, contactId) => {
    const count = async () => (await everythingIn(prosa.ports.store, 'dataExport')).length
    const before = await count()
    expect(await ask(ana, '/api/exports', { contactId })).toMatchObject({
      status: 404,
      body: { type: 'contact_not_found' },
    })
    expect(await count()).toBe(before)
  })
})

describe('who asks for a copy', () => {
  const factOf = async (exportId: string) =>
    (await everythingIn(prosa.ports.store, 'dataExport')).find(({ stream }) => stream.endsWith(`:${exportId}`))

  it('is in the log before anything is read, with whose it is; a contact by its id', async () => {
    const { body } = await ask(ana, '/api/exports', { contactId: thiago })
    expect(await factOf(body.id)).toMatchObject({
      type: 'ContactExported',
      data: { contactId: thiago },
      stream: `dataExport-${ana}:${body.id}`,
      metadata: { actor: { kind: 'user', id: ana }, tenant: ana, recordedAt: time.now },
    })
  })

  it('may be an administrator, with a reason, and the timeline shows it', async () => {
    const asked = await ask(rui, `/api/admin/users/${ana}/exports`, { reason: 'Pedido por carta' })
    expect(asked.status).toBe(201)
    const { id } = asked.body
    expect(await factOf(id)).toMatchObject({
      type: 'AccountExported',
      data: { by: 'administrator' },
      metadata: { actor: { kind: 'admin', id: rui }, tenant: ana, reason: 'Pedido por carta' },
    })
    const files = await filesIn(rui, `/api/admin/users/${ana}/exports/${id}`)
    const line = linesIn(files).find(({ registro }) => registro === `dataExport-${ana}:${id} 0`)
    expect(line).toMatchObject({ quem: 'Administração do Prosa', motivo: 'Pedido por carta' })
    expect(allText(files)).not.toContain('Rui')
    const { body } = await prosa.get(`/api/admin/history?record=user:${ana}`, rui)
    const [entry] = body.items[0].entries
    expect(entry).toMatchObject({ type: 'AccountExported', reason: 'Pedido por carta', icon: 'security' })
    expect(entry.text).toMatch(/^Rui Souza exportou todos os dados da conta de /)
  })

  it('alone may download it, for a quarter of an hour', async () => {
    const { body } = await ask(ana, '/api/exports')
    const ofAdmin = (await ask(rui, `/api/admin/users/${ana}/exports`)).body
    for (const [user, url] of [
      [bia, `/api/exports/${body.id}`],
      [ana, `/api/exports/${ofAdmin.id}`],
      [rui, `/api/admin/users/${ana}/exports/${body.id}`],
      [rui, `/api/admin/users/${bia}/exports/${ofAdmin.id}`],
    ] as const)
      expect([url, (await download(user, url)).statusCode]).toEqual([url, 404])
    expect((await download(bia, `/api/admin/users/${ana}/exports/${body.id}`)).statusCode).toBe(403)
    expect((await ask(rui, `/api/admin/users/${idOf('nobody')}/exports`)).body.type).toBe('user_not_found')
    time.now = at(9000 + 15 * 60 + 1)
    const late = await download(ana, `/api/exports/${body.id}`)
    expect([late.statusCode, late.json().type]).toEqual([410, 'export_over'])
    time.now = at(9000)
  })
})

describe('another administrator', () => {
  it('asks for a copy of their own, with a reason of their own', async () => {
    const gil = idOf('another administrator')
    const person = { firstName: 'Gil', lastName: 'Souza', email: 'gil@example.com', credentialId: idOf('gil') }
    await prosa.append(gil, `user-${gil}`, { type: 'UserRegistered', data: person })
    const granted = await prosa.append(gil, `user-${gil}`, { type: 'RoleGranted', data: { role: 'admin' } })
    await prosa.get('/api/auth/user', gil, granted)
    const { id } = (await ask(rui, `/api/admin/users/${ana}/exports`)).body
    const path = `/api/admin/users/${ana}/exports/${id}`
    const refused = await download(gil, path)
    expect([refused.statusCode, refused.json().type]).toEqual([404, 'export_not_found'])
    expect((await download(rui, path)).statusCode).toBe(200)
  })
})

describe('while a copy is made', () => {
  it('no other one of the account is, on any process', async () => {
    const { body } = await ask(ana, '/api/exports')
    const slot = await exportSlots(prosa.ports.databaseUrl).take(ana)
    expect(await ask(ana, '/api/exports')).toMatchObject({ status: 429, body: { type: 'export_running' } })
    expect((await download(ana, `/api/exports/${body.id}`)).statusCode).toBe(429)
    expect((await ask(bia, '/api/exports')).status).toBe(201)
    await slot?.release()
    await filesIn(ana, `/api/exports/${body.id}`)
    await filesIn(ana, `/api/exports/${body.id}`)
  })

  it('a failure cuts the connection, so that a part is not taken for the whole', async () => {
    const { files } = prosa.ports
    const { body } = await ask(ana, '/api/exports')
    const address = await prosa.app.listen({ host: '127.0.0.1', port: 0 })
    const get = async () => {
      const headers = { cookie: await cookieOf(ana) }
      const reply = await fetch(`${address}/api/exports/${body.id}`, { headers })
      return { status: reply.status, whole: reply.arrayBuffer() }
    }
    const read = files.get
    files.get = async () => {
      await delay(0)
      throw new FilesUnavailable('away')
    }
    const broken = await get()
    expect(broken.status).toBe(200)
    await expect(broken.whole).rejects.toThrow()
    files.get = read
    const { whole } = await get()
    expect((await unzip(Buffer.from(await whole))).has('LEIA-ME.txt')).toBe(true)
  })
})
