import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { ContactCounts } from '@prosa/contracts/http/live-chat'
import type { DemoProgress } from '@prosa/contracts/http/simulator'
import { until } from '@prosa/kernel/testing/until'
import { runLoad } from '@prosa/sandbox/load/load'
import { networkHere } from '@prosa/sandbox/load/network-here'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { type Product, startProduct } from './product.ts'

let folder: string
let product: Product

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'prosa-simulated-people-'))
  await writeFile(join(folder, 'index.html'), '<!doctype html><title>Prosa</title>')
  product = await startProduct({ webFolder: folder })
})

afterAll(async () => {
  await product.stop()
  await rm(folder, { recursive: true, force: true })
})

it('the load driver loses no text and no picture, doubles nothing and reports how late everything was', async () => {
  const report = await runLoad({
    productUrl: product.url,
    network: networkHere(product.whatsapp),
    numbers: 2,
    contacts: 3,
    rate: 10,
    seconds: 1,
    pictures: 0.5,
    answers: true,
  })
  for (const direction of [report.inbound, report.outbound]) {
    expect(direction).toMatchObject({ sent: 10, arrived: 10, lost: 0, doubled: 0 })
    expect(direction.late.p50).toBeGreaterThan(0)
    expect(direction.late.max).toBeGreaterThanOrEqual(direction.late.p50)
  }
})

it('the button on /simulador fills the account of who presses it with a morning, once', async () => {
  const visitor = await product.visitor().register()
  expect((await product.visitor().ask('POST', '/api/simulador/demo')).status).toBe(401)
  const fill = async () => {
    expect((await visitor.ask('POST', '/api/simulador/demo')).status).toBe(202)
    return until(async () => {
      const demo = await visitor.get<DemoProgress>('/api/simulador/demo')
      return demo.state !== 'running' && demo
    }, 50_000)
  }
  expect(await fill()).toMatchObject({ state: 'done' })
  expect(await visitor.get<ContactCounts>('/api/whatsapp/contact-counts')).toMatchObject({
    waiting: 7,
    attending: 4,
    resolved: 5,
  })
  expect(await fill()).toMatchObject({ state: 'failed', sentence: 'A manhã de exemplo já está nesta conta.' })
})
