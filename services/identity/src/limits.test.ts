import { type Host, host } from '@prosa/kernel/host'
import { type TestPorts, testPorts } from '@prosa/kernel/testing/test-ports'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { identity } from './identity.ts'
import { marina, plainOptions } from './testing/test-identity.ts'

let ports: TestPorts
let running: Host

beforeAll(async () => {
  ports = await testPorts()
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

  it('stop the sixth account from one address, and the sixth mail to one person from everywhere', async () => {
    const statuses: number[] = []
    for (let count = 0; count < 6; count++)
      statuses.push((await post('register', { ...marina, email: `p${count}@example.com` }, '203.0.113.4')).statusCode)
    expect(statuses).toEqual([201, 201, 201, 201, 201, 429])
    const mails: number[] = []
    for (let count = 0; count < 6; count++)
      mails.push((await post('forgot-password', { email: marina.email }, `203.0.113.${10 + count}`)).statusCode)
    expect(mails).toEqual([200, 200, 200, 200, 200, 429])
  })
})
