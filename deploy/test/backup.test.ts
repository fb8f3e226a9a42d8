import { createHash, randomBytes } from 'node:crypto'
import { appendFile, mkdtemp, readdir, readFile, rm, truncate, unlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Contact } from '@prosa/contracts/http/live-chat'
import { diskFileStore } from '@prosa/kernel/files/disk'
import { silentLog } from '@prosa/kernel/observability/log'
import { type TestPostgres, testPostgres } from '@prosa/kernel/postgres/testing'
import { fileErasureJournal, readErasures } from '@prosa/kernel/privacy/erasure-journal'
import { noteMeasurements, shortOrLong } from '@prosa/kernel/testing/long-form'
import { until } from '@prosa/kernel/testing/until'
import { readConfig } from '@prosa/product/process/config'
import { openPorts } from '@prosa/product/process/open-ports'
import { refuseUnfinishedRestore } from '@prosa/product/process/unfinished-restore'
import { readSide } from '@prosa/projections/read-side'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { allServices } from '../src/all-services.ts'
import { type BackupSource, backUp } from '../src/backup/back-up.ts'
import { type Manifest, paths } from '../src/backup/manifest.ts'
import { type RestoreTarget, restore } from '../src/backup/restore.ts'
import { type Product, startProduct } from './product.ts'
import { readModelsAgainstLog } from './read-models-against-log.ts'
import { dumpOf, tracesOf } from './traces.ts'
import { Visitor } from './visitor.ts'

const secret = randomBytes(32)
const [shopNumber, anaNumber, betoNumber] = ['5511900000001', '5511977001122', '5511977003344'] as const
const ofAna = ['Aqui é a Ana Restaurada-Um', 'Minha alergia é a planta-dois', 'receita-planta-tres']
const services = allServices(readConfig('development', {}))

let root: string
let databases: TestPostgres[]
let product: Product
let marina: Visitor
let ana: Contact
let beto: Contact
let source: BackupSource
let backup: string
let manifest: Manifest
/** The events of the snapshot, and a file in it. */
let before: { events: string; file: string }

const folderFor = (name: string) => join(root, name)

const newDatabase = async () => {
  const database = await testPostgres()
  databases.push(database)
  return database
}

const contactOf = (number: string) =>
  until<Contact | undefined>(async () => (await marina.contacts('waiting')).find(({ phone }) => phone === number))

const eventsUpTo = async ({ pool }: TestPostgres, position: string | null) => {
  const { rows } = await pool.query<{ row: string }>(
    'select e::text as row from es.event e where position <= $1 order by position',
    [position],
  )
  return createHash('sha256')
    .update(rows.map(({ row }) => row).join('\n'))
    .digest('hex')
}

const bytesIn = async (folder: string) => {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true })
  const files = entries.filter((entry) => entry.isFile()).map(({ parentPath, name }) => join(parentPath, name))
  return Buffer.concat(await Promise.all(files.map((file) => readFile(file))))
}

const targetFor = (name: string, database: TestPostgres, more: Partial<RestoreTarget> = {}): RestoreTarget => ({
  databaseUrl: database.url,
  restoringFile: folderFor(`${name}/restoring`),
  filesFolder: folderFor(`${name}/files`),
  erasuresFile: folderFor(`${name}/erasures.jsonl`),
  secrets: [secret],
  async withPorts(work) {
    const erasures = fileErasureJournal(folderFor(`${name}/erasures.jsonl`))
    const files = diskFileStore(folderFor(`${name}/files`))
    const options = { databaseUrl: database.url, masterSecret: secret, log: silentLog(), readSide, services }
    const ports = await openPorts({ ...options, files, erasures })
    try {
      return await work(ports)
    } finally {
      await ports.store.close()
      await ports.close()
    }
  },
  ...more,
})

beforeAll(async () => {
  root = await mkdtemp(join(tmpdir(), 'prosa-backup-'))
  databases = []
  const database = await newDatabase()
  const [files, erasuresFile] = [folderFor('files'), folderFor('erasures.jsonl')]
  source = { databaseUrl: database.url, filesFolder: files, erasuresFile }
  product = await startProduct({
    database,
    secret,
    files: diskFileStore(files),
    erasures: fileErasureJournal(erasuresFile),
  })
  marina = await product.visitor().register()
  await marina.link(product.whatsapp.addPhone(shopNumber, 'Padaria Sol'))
  const phones = {
    ana: product.whatsapp.addPhone(anaNumber, 'Ana Restaurada'),
    beto: product.whatsapp.addPhone(betoNumber, 'Beto'),
  }
  for (const text of ofAna.slice(0, 2)) await phones.ana.sendText(shopNumber, text)
  await phones.beto.sendText(shopNumber, 'Tem pão?')
  const document = { mimetype: 'text/plain', fileName: 'lista.txt' }
  await phones.ana.sendMedia(shopNumber, 'document', Buffer.from(ofAna[2] ?? ''), document)
  await phones.beto.sendMedia(shopNumber, 'document', Buffer.from('lista do Beto'), document)
  ana = await contactOf(anaNumber)
  beto = await contactOf(betoNumber)
  for (const { id } of [ana, beto])
    await until(async () => (await marina.messages(id)).some(({ media }) => media?.status === 'ready'))

  const { media } = (await marina.messages(beto.id)).find((message) => message.media) ?? {}

  // Writes go on while it is taken.
  let isOver = false
  const writing = (async () => {
    for (let written = 0; !isOver; written++) {
      await marina.post(`/api/whatsapp/contacts/${beto.id}/notes`, { text: `nota ${written}` })
      await phones.beto.sendText(shopNumber, `mensagem ${written}`)
    }
  })()
  for (let round = 0; round < shortOrLong(1, 10); round++) {
    backup = folderFor(`backup-${round}`)
    const began = performance.now()
    manifest = await backUp(source, backup)
    noteMeasurements('backup', { ms: Math.round(performance.now() - began), events: manifest.log.events ?? 0 })
  }
  isOver = true
  await writing
  before = {
    events: await eventsUpTo(database, manifest.log.position),
    file: media?.id ?? '',
  }
  // After the backup Ana goes.
  expect((await marina.ask('DELETE', `/api/whatsapp/contacts/${ana.id}`)).status).toBe(200)
  await until(async () => (await readErasuresOf(source)).has(`contact:${ana.id}`))
  await until(async () => tracesOf(ofAna, await bytesIn(files)).length === 0)
  await product.stop()
}, 120_000)
afterAll(async () => {
  await product?.stop()
  for (const database of databases) await database.drop()
  await rm(root, { recursive: true, force: true })
})

const readErasuresOf = async ({ erasuresFile }: BackupSource): Promise<ReadonlySet<string>> =>
  readErasures(erasuresFile).then(
    ({ subjects }) => subjects,
    () => new Set<string>(),
  )

describe('a backup', () => {
  it('holds the person that was erased afterwards, and no master secret', async () => {
    const bytes = await bytesIn(backup)
    expect(tracesOf([ofAna[2] ?? ''], bytes)).toEqual([ofAna[2]])
    expect(bytes.includes(secret)).toBe(false)
    expect(tracesOf([secret.toString('hex')], bytes)).toEqual([])
    expect(manifest.masters).toHaveLength(1)
  })

  it('is refused into a folder that holds a backup or something else', async () => {
    await expect(backUp(source, backup)).rejects.toThrow('already holds a complete backup')
    await expect(backUp(source, root)).rejects.toThrow('holds something else')
  })
})

describe('a restore', () => {
  const refused = async (from: string, more: Partial<RestoreTarget>, sentence: string | RegExp) => {
    const database = await newDatabase()
    const target = targetFor(`refused-${databases.length}`, database, { erasuresFile: source.erasuresFile, ...more })
    await expect(restore(target, from)).rejects.toThrow(sentence)
    expect((await dumpOf(database.pool)).size).toBe(0)
  }

  it('is refused with another secret, of a partial backup, or without a journal of erasures', async () => {
    await refused(backup, { secrets: [randomBytes(32)] }, /wrapped with/)
    await refused(folderFor('nothing'), {}, 'no complete backup')
    await refused(backup, { erasuresFile: folderFor('lost.jsonl') }, 'would come back')
    await refused(backup, { filesFolder: undefined }, 'without the variables of S3')
  })

  it('is refused of a damaged backup, whatever was damaged', async () => {
    const { tables } = manifest
    const table = paths(backup).table(tables.find(({ table }) => table === 'es.event')?.file ?? '')
    for (const path of [table, paths(backup).schema, paths(backup).fileList]) {
      const whole = await readFile(path)
      await truncate(path, whole.length - 1)
      await refused(backup, {}, 'is damaged')
      await writeFile(path, whole)
    }
    await appendFile(table, 'x')
    await refused(backup, {}, 'is damaged')
    await truncate(table, tables.find(({ table }) => table === 'es.event')?.bytes)
  })

  it('never overwrites rows or files', async () => {
    const database = await newDatabase()
    await database.pool.query('create table somebody (id int)')
    const full = { erasuresFile: source.erasuresFile }
    await expect(restore(targetFor('rows', database, full), backup)).rejects.toThrow('database is not empty')
    await refused(backup, { filesFolder: folderFor('backup-0/files') }, 'is not empty')
  })

  it('brings back every event and row, and nobody who was erased since', async () => {
    const database = await newDatabase()
    const target = targetFor('again', database)
    const began = performance.now()
    const broken = { ...target, withPorts: () => Promise.reject(new Error('the power went')) }
    await expect(restore(broken, backup, { erasures: [source.erasuresFile] })).rejects.toThrow('the power went')
    expect(() => refuseUnfinishedRestore(target.restoringFile)).toThrow('was broken off')
    const { erased } = await restore(target, backup, { erasures: [source.erasuresFile] })
    refuseUnfinishedRestore(target.restoringFile)
    noteMeasurements('restore', { ms: Math.round(performance.now() - began), events: manifest.log.events ?? 0 })
    expect(erased).toBe(1)
    expect(await eventsUpTo(database, manifest.log.position)).toBe(before.events)

    const files = diskFileStore(folderFor('again/files'))
    const erasures = fileErasureJournal(target.erasuresFile)
    product = await startProduct({ database, secret, files, erasures })
    const returned = new Visitor(product.url)
    await returned.post('/api/auth/login', { email: marina.email, password: marina.password })
    await until(async () => (await returned.ask('GET', `/api/whatsapp/contacts/${ana.id}`)).status === 404)
    const isErased = async () => {
      const { rowCount } = await database.pool.query(
        'select from subject_key where subject = $1 and wrapped is not null',
        [`contact:${ana.id}`],
      )
      return rowCount === 0
    }
    await until(isErased)
    const traces = async () =>
      [...(await dumpOf(database.pool))].flatMap(([table, rows]) =>
        tracesOf([...ofAna, anaNumber], rows).map((text) => `${table}: ${text}`),
      )
    await until(async () => (await traces()).length === 0, 20_000).catch(async () => expect(await traces()).toEqual([]))
    await until(async () => tracesOf(ofAna, await bytesIn(folderFor('again/files'))).length === 0)

    // As they stood in the snapshot: none is missing before the last one.
    const numbers = (await returned.messages(beto.id)).flatMap(
      ({ content }) => /^mensagem (\d+)$/.exec(content)?.[1] ?? [],
    )
    const [first = 0] = numbers.map(Number)
    expect(numbers.map(Number)).toEqual(numbers.map((_, index) => first + index))
    expect(await returned.messages(beto.id)).not.toEqual([])
    expect(Buffer.from(await returned.bytes(`/api/whatsapp/media/${before.file}`)).toString()).toBe('lista do Beto')
    expect(await readModelsAgainstLog(product.ports, database.pool)).toEqual([])
    expect([...(await readErasures(target.erasuresFile)).subjects]).toContain(`contact:${ana.id}`)
  })
})

it('a broken-off backup goes on when it is repeated', async () => {
  const folder = folderFor('broken-off')
  const taken = await backUp({ ...source, filesFolder: folderFor('again/files') }, folder)
  await unlink(paths(folder).manifest)
  await expect(
    restore(targetFor('half', await newDatabase(), { erasuresFile: source.erasuresFile }), folder),
  ).rejects.toThrow('no complete backup')
  expect((await backUp({ ...source, filesFolder: folderFor('again/files') }, folder)).files).toEqual(taken.files)
})
