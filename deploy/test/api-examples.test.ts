import { execFile } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { endpoints } from '@prosa/contracts/http/endpoints'
import { until } from '@prosa/kernel/testing/until'
import { transform } from 'esbuild'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { newKey } from './key-holder.ts'
import { keywordFlow } from './keyword-flow.ts'
import { type Product, startProduct } from './product.ts'

const run = promisify(execFile)

interface Operation {
  tags: string[]
  description?: string
}
interface Document {
  tags: { name: string }[]
  paths: Record<string, Record<string, Operation>>
}

let product: Product
let folder: string
let document: Document
let environment: Record<string, string>

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'prosa-examples-'))
  product = await startProduct()
  const tenant = await product.visitor().register()
  await tenant.link(product.whatsapp.addPhone('5511900000001', 'Padaria Sol'))
  const ana = product.whatsapp.addPhone('5511988776655', 'Ana')
  await ana.sendText('5511900000001', 'Bom dia')
  const contact = await until(async () => (await tenant.contacts('waiting'))[0])
  const flow = { ...keywordFlow('nunca', 'Olá.'), settings: { ...keywordFlow('', '').settings, again: 'always' } }
  const { id } = await tenant.post<{ id: string }>('/api/flows', { name: 'Aviso', document: flow })
  await tenant.post(`/api/flows/${id}/publish`, { basedOn: 0 })
  environment = {
    PATH: process.env.PATH ?? '',
    PROSA_URL: product.url,
    PROSA_KEY: (await newKey(tenant)).key,
    CONTACT_ID: contact.id,
    FLOW_ID: id,
    PHONE: '11988776655',
  }
  document = (await product.visitor().ask<Document>('GET', '/api/docs/json')).body
}, 60_000)
afterAll(async () => {
  await product?.stop()
  await rm(folder, { recursive: true, force: true })
})

const operations = () =>
  Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, each]) => ({ name: `${method.toUpperCase()} ${path}`, ...each })),
  )
const examplesIn = ({ description = '' }: Operation) =>
  Object.fromEntries(Array.from(description.matchAll(/```(\w+)\n([\s\S]*?)\n```/g), ([, name, text]) => [name, text]))

/** What the program printed, without its request's id. */
const printed = async (program: string, args: string[]): Promise<Record<string, unknown>> => {
  const { stdout } = await run(program, args, { env: { ...environment, REQUEST_ID: randomUUID() }, timeout: 20_000 })
  return JSON.parse(stdout)
}
const inFile = async (name: string, text: string) => {
  const path = join(folder, name)
  await writeFile(path, text)
  return path
}

/** Its answer is printed as JavaScript prints values, so the example is run with JSON instead. */
const asJson = (text: string) => text.replace('console.log(answer)', 'console.log(JSON.stringify(answer))')

const ways: Readonly<Record<string, (text: string) => Promise<Record<string, unknown>>>> = {
  sh: (text) => printed('/bin/bash', ['-c', text.replace(/^curl /, 'curl --fail-with-body --silent ')]),
  ts: async (text) =>
    printed(process.execPath, [await inFile('example.mjs', (await transform(asJson(text), { loader: 'ts' })).code)]),
  python: async (text) => printed('python3', [await inFile('example.py', text)]),
}

const isInstalled = (program: string) =>
  run(program, ['--version']).then(
    () => true,
    () => false,
  )
const missing = (
  await Promise.all(
    Object.entries({ sh: 'curl', python: 'python3' }).map(async ([name, program]) =>
      (await isInstalled(program)) ? [] : [name],
    ),
  )
).flat()

const installed = Object.keys(ways).filter((name) => !missing.includes(name))

describe('the chapter of the public API', () => {
  it('comes first, and each of its routes has an example in each language', () => {
    expect(document.tags[0]?.name).toBe('API pública')
    const found = operations().filter(({ tags }) => tags[0] === 'API pública')
    expect(found.map(({ name }) => name).sort()).toEqual(
      endpoints
        .filter(({ path }) => path.startsWith('/api/v1/'))
        .map(({ method, path }) => `${method} ${path.replaceAll(/:(\w+)/g, '{$1}')}`)
        .sort(),
    )
    for (const each of found) expect([each.name, Object.keys(examplesIn(each))]).toEqual([each.name, Object.keys(ways)])
  })

  for (const name of missing) it.skip(`${name}: not run, as its program is not installed here`)

  it.each(installed)(
    'has examples in %s that work as they stand',
    async (language) => {
      for (const each of operations().filter(({ tags }) => tags[0] === 'API pública')) {
        const text = examplesIn(each)[language] ?? ''
        const answer = await ways[language]?.(text).catch((cause) => {
          throw new Error(`${each.name}\n${text}`, { cause })
        })
        expect([each.name, answer]).toEqual([each.name, expect.objectContaining({})])
        expect(Object.keys(answer ?? {}).some((name) => name === 'id' || name === 'items')).toBe(true)
      }
    },
    120_000,
  )
})

describe('the page of the events', () => {
  it('explains for people every type of the catalogue, and leads to the same for programs', async () => {
    const visitor = product.visitor()
    const { body, headers, status } = await visitor.ask<string>('GET', '/api/docs/eventos')
    expect([status, headers.get('content-type')]).toEqual([200, 'text/html; charset=utf-8'])
    expect(headers.get('content-security-policy')).toMatch(/style-src 'self' 'sha256-/)
    const types = (await visitor.get<{ type: string; fields: { name: string }[] }[]>('/api/streams')).map(
      ({ type }) => type,
    )
    for (const type of types) expect([type, body.split(`<h3 id="${type}">`).length]).toEqual([type, 2])
    for (const [, address = ''] of body.matchAll(/<a href="(\/[^"]+)"/g))
      expect([address, (await visitor.ask('GET', address)).status]).toEqual([address, 200])
    for (const [, anchor = ''] of body.matchAll(/<a href="#([^"]+)"/g)) expect(body).toContain(` id="${anchor}"`)
    expect(body).not.toMatch(/<script|style=/)
    expect(JSON.stringify((await visitor.ask('GET', '/api/docs/json')).body)).toContain('/api/docs/eventos')
  })
})
