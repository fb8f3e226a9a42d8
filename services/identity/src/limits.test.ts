import { type Host, host } from '@prosa/kernel/host'
import { type TestPorts, testPorts } from '@prosa/product/testing/test-ports'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { identity } from './identity.ts'
import { marina, plainOptions } from './testing/test-identity.ts'

let ports: TestPorts
let running: Host
/** Limits use a monotonic clock. */
let ahead = 0

beforeAll(async () => {
  ports = await testPorts({ clock: { now: () => new Date(Date.now() + ahead).toISOString() } })
  running = await host([identity(plainOptions)], ports, {
    hostname: '127.0.0.1',
    port: 0,
    trustedOrigins: [],
    trustProxy: true,
  })
}, 60_000)
afterAll(async () => {
  await running?.stop()
  await ports?.close()
})

const post = (path: string, payload: object, from: string) =>
  running.app.inject({
    method: 'POST',
    url: `/api/auth/${path}`,
    headers: { 'x-forwarded-for': from },
    payload,
  })

describe('the limits of production', () => {
  it('stop the sixth guess at a password from one address, and keep nobody from signing in elsewhere', async () => {
    expect((await post('register', marina, '203.0.113.1')).statusCode).toBe(201)
    const { email, password } = marina
    for (let count = 0; count < 5; count++)
      expect((await post('login', { email, password: 'errada' }, '203.0.113.2')).statusCode).toBe(401)
    const refused = await post('login', { email, password }, '203.0.113.2')
    expect([refused.statusCode, refused.json().title]).toEqual([429, 'Muitas tentativas. Tente de novo em 5 minutos.'])
    expect((await post('login', { email, password }, '203.0.113.3')).statusCode).toBe(200)
  })

  it('stop a program that signs in for each of its requests, and nobody else', async () => {
    const email = 'programa@example.com'
    await post('register', { ...marina, email }, '203.0.113.60')
    const sign = (from: string) => post('login', { email, password: marina.password }, from)
    for (let count = 0; count < 200; count++) expect((await sign('203.0.113.61')).statusCode).toBe(200)
    expect((await sign('203.0.113.61')).json().type).toBe('too_many_attempts')
    expect((await sign('203.0.113.62')).statusCode).toBe(200)
  })

  it('stop the sixth guess at a password in a browser that was left open, also where it is asked for a new address', async () => {
    const { firstName, lastName } = marina
    const left = await post('register', { ...marina, email: 'aberto@example.com' }, '203.0.113.20')
    const cookies = Object.fromEntries(left.cookies.map(({ name, value }) => [name, value]))
    const move = async (currentPassword: string) => {
      const payload = { firstName, lastName, email: 'ladrao@example.com', currentPassword }
      return (await running.app.inject({ method: 'PUT', url: '/api/auth/user', payload, cookies })).statusCode
    }
    for (let count = 0; count < 5; count++) expect(await move('errada')).toBe(422)
    expect(await move(marina.password)).toBe(429)
  })

  it('stop the profile that goes to and fro between two addresses, and mails one of them each time', async () => {
    const { firstName, lastName, password: currentPassword } = marina
    const opened = await post('register', { ...marina, email: 'vaivem0@example.com' }, '203.0.113.50')
    const cookies = Object.fromEntries(opened.cookies.map(({ name, value }) => [name, value]))
    const statuses: number[] = []
    for (let count = 1; count <= 21; count++) {
      const payload = { firstName, lastName, email: `vaivem${count % 2}@example.com`, currentPassword }
      const reply = await running.app.inject({ method: 'PUT', url: '/api/auth/user', payload, cookies })
      statuses.push(reply.statusCode)
    }
    expect(statuses).toEqual([...Array(20).fill(200), 429])
  })

  it('stop the eleventh message to support within an hour', async () => {
    const opened = await post('register', { ...marina, email: 'pergunta@example.com' }, '203.0.113.51')
    const cookies = Object.fromEntries(opened.cookies.map(({ name, value }) => [name, value]))
    const statuses: number[] = []
    for (let count = 1; count <= 11; count++) {
      const payload = { subject: `Pergunta ${count}`, message: 'Como faço?' }
      const reply = await running.app.inject({ method: 'POST', url: '/api/support/requests', payload, cookies })
      statuses.push(reply.statusCode)
    }
    expect(statuses).toEqual([...Array(10).fill(201), 429])
  })

  it('stop the sixth account from one address', async () => {
    const statuses: number[] = []
    for (let count = 0; count < 6; count++)
      statuses.push((await post('register', { ...marina, email: `p${count}@example.com` }, '203.0.113.4')).statusCode)
    expect(statuses).toEqual([201, 201, 201, 201, 201, 429])
  })

  it('stop the sixth forgotten password of one account from one address, and the eleventh of all', async () => {
    const ask = async (email: string, from: string) => (await post('forgot-password', { email }, from)).statusCode
    for (let count = 0; count < 5; count++) expect(await ask('alguem@example.com', '203.0.113.5')).toBe(200)
    expect(await ask('alguem@example.com', '203.0.113.5')).toBe(429)
    expect(await ask('alguem@example.com', '203.0.113.6')).toBe(200)
    for (let count = 0; count < 5; count++) expect(await ask(`outro${count}@example.com`, '203.0.113.5')).toBe(200)
    expect(await ask('outro5@example.com', '203.0.113.5')).toBe(429)
  })

  it('keep nobody from resetting a password: beyond five links an hour the last one holds, until it is ten minutes old', async () => {
    const email = 'bloqueada@example.com'
    await post('register', { ...marina, email }, '203.0.113.40')
    const links: unknown[] = []
    const ask = async (from: string) => {
      const reply = await post('forgot-password', { email }, from)
      expect([reply.statusCode, reply.json().message]).toEqual([200, expect.stringContaining('chega em instantes')])
      links.push(reply.json().resetLink)
    }
    for (let stranger = 0; stranger < 12; stranger++) await ask(`198.51.100.${stranger}`)
    expect(links.map((link) => link !== undefined)).toEqual([...Array(5).fill(true), ...Array(7).fill(false)])
    await ask('203.0.113.41')
    const token = new URL(String(links[4])).searchParams.get('token')
    const reset = (password: string) => post('reset-password', { token, password }, '203.0.113.41')
    expect((await reset('a senha da dona')).statusCode).toBe(200)
    await ask('203.0.113.41')
    expect(links.at(-1)).toBeDefined()
    ahead = 9 * 60_000
    await ask('203.0.113.41')
    expect(links.at(-1)).toBeUndefined()
    ahead = 10 * 60_000 + 1000
    await ask('203.0.113.41')
    expect(links.at(-1)).toBeDefined()
  })
})
