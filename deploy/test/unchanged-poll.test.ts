import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { positionHeader } from '@prosa/contracts/http/problem'
import { until } from '@prosa/kernel/testing/until'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type Product, startProduct } from './product.ts'
import type { Visitor } from './visitor.ts'

const path = '/api/whatsapp/contacts?status=waiting'

const namesOf = (headers: Headers) => [...headers.keys()].filter((name) => !['connection', 'keep-alive'].includes(name))

describe('an unchanged poll of the whole product', () => {
  let webFolder: string
  let product: Product
  let visitor: Visitor
  beforeAll(async () => {
    webFolder = await mkdtemp(join(tmpdir(), 'prosa-web-'))
    await writeFile(join(webFolder, 'index.html'), '<!doctype html>')
    product = await startProduct({ webFolder })
    visitor = await product.visitor().register()
  })
  afterAll(async () => {
    await product?.stop()
    await rm(webFolder, { recursive: true, force: true })
  })

  const poll = (tag?: string) =>
    fetch(product.url + path, {
      headers: { cookie: visitor.cookie ?? '', ...(tag === undefined ? {} : { 'if-none-match': tag }) },
    })

  it('repeats what a browser needs to go on with what it has, and nothing else of the full reply', async () => {
    await until(async () => {
      const full = await poll()
      const tag = full.headers.get('etag')
      if (!tag) return false
      expect(full.headers.get('content-security-policy')).toContain("default-src 'none'")
      const replies = [await poll(tag), await poll(tag), await poll(tag)]
      if (replies.some(({ status }) => status !== 304)) return false
      for (const reply of replies) {
        expect(await reply.text()).toBe('')
        expect(namesOf(reply.headers)).toEqual(['cache-control', 'date', 'etag'])
        expect(reply.headers.get('cache-control')).toBe(full.headers.get('cache-control'))
        expect(reply.headers.get('etag')).toBe(tag)
      }
      return true
    })
  })

  it('is answered without a query, its session included', async () => {
    let queries = 0
    product.ports.pool.on('acquire', () => queries++)
    // Background work may disturb single polls.
    await until(async () => {
      const tag = (await poll()).headers.get('etag') ?? undefined
      const before = queries
      return (await poll(tag)).status === 304 && queries === before
    })
  })

  it('and everything else that names a position names it by a token, in which nobody reads how long the log is', async () => {
    const named: string[] = []
    const socket = visitor.socket()
    socket.onAny((event: string, push: { position?: string } | undefined) => {
      if (push?.position !== undefined) named.push(`${event} ${push.position}`)
    })
    const cookie = visitor.cookie ?? ''
    const command = () =>
      fetch(`${product.url}/api/quick-replies`, {
        method: 'POST',
        headers: { cookie, 'content-type': 'application/json', 'idempotency-key': 'one wish' },
        body: JSON.stringify({ shortcut: 'ola', content: 'Olá!' }),
      })
    for (const reply of [await command(), await command()]) {
      expect(reply.status).toBe(201)
      named.push(`command ${reply.headers.get(positionHeader)}`)
    }
    const events = ['resumed', 'position', 'quick_replies:update', 'command']
    await until(() => events.every((event) => named.some((each) => each.startsWith(`${event} `))))
    socket.close()
    const { rows } = await product.ports.pool.query<{ position: string }>('select position from es.event')
    expect(rows.length).toBeGreaterThan(2)
    for (const each of named) {
      const token = each.split(' ')[1] ?? ''
      expect(token).toMatch(/^[\w-]{40,}$/)
      const bytes = Buffer.from(token, 'base64url')
      for (const { position } of rows) expect(bytes.includes(String(position).padStart(10, '0'))).toBe(false)
    }
  })

  it('ends with the session', async () => {
    const tag = (await poll()).headers.get('etag') ?? undefined
    await poll(tag)
    await visitor.ask('POST', '/api/auth/logout')
    expect((await poll(tag)).status).toBe(401)
  })
})
