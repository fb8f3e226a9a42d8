import { once } from 'node:events'
import { join } from 'node:path'
import type { SimulatedMessage, SimulatedPhone } from '@prosa/contracts/http/simulator'
import fastify, { type InjectOptions } from 'fastify'
import { expect, onTestFinished } from 'vitest'
import { startSimulator } from '../simulator/simulator.ts'
import { simulatorRoutes } from '../simulator/simulator-routes.ts'
import { LinkedNumber } from './linked-number.ts'

export async function openPage(options: { stateFile?: string; port?: number } = {}) {
  const simulator = await startSimulator(options)
  const app = fastify()
  await app.register(simulatorRoutes({ sandbox: simulator }))
  const close = async () => {
    await app.close()
    await simulator.stop()
  }
  onTestFinished(close)
  const call = async (method: InjectOptions['method'], path: string, payload?: object) => {
    const reply = await app.inject({ method, url: `/api/simulador${path}`, payload })
    return { status: reply.statusCode, body: reply.body ? reply.json() : undefined }
  }
  const upload = async (path: string, payload: Buffer, type = 'application/octet-stream') => {
    const headers = { 'content-type': type }
    const reply = await app.inject({ method: 'POST', url: `/api/simulador${path}`, payload, headers })
    return { status: reply.statusCode, body: reply.json() }
  }
  const download = async (path: string) => {
    const reply = await app.inject({ method: 'GET', url: `/api/simulador${path}` })
    return { status: reply.statusCode, type: reply.headers['content-type'], bytes: reply.rawPayload }
  }
  const post = (path: string, payload: object = {}) => call('POST', path, payload)
  const get = async (path: string) => (await call('GET', path)).body
  const add = async (name: string, number: string): Promise<SimulatedPhone> =>
    (await post('/phones', { name, number })).body
  const phone = async (id: string): Promise<SimulatedPhone> =>
    (await get('/phones')).find((it: SimulatedPhone) => it.id === id)
  const chat = (id: string, number: string): Promise<SimulatedMessage[]> =>
    get(`/phones/${id}/chats/${number}/messages`)
  const status = async (id: string, number: string) => (await chat(id, number)).at(-1)?.status
  return { simulator, app, close, call, upload, download, post, get, add, phone, chat, status }
}

export type SimulatorPage = Awaited<ReturnType<typeof openPage>>

export async function link(page: SimulatorPage, phoneId: string, folder: string) {
  const client = new LinkedNumber(page.simulator.url, join(folder, 'auth'))
  onTestFinished(() => client.stop())
  const shown = once(client, 'qr')
  await client.start()
  const [qr] = await shown
  const opened = once(client, 'open')
  expect((await page.post(`/phones/${phoneId}/scan`, { qr })).status).toBe(201)
  await opened
  return { client, qr }
}
