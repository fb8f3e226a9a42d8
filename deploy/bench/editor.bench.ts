import { readFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { extname, join, resolve } from 'node:path'
import type { FlowDocument, FlowNode } from '@prosa/contracts/flows/flow-document'
import { newFlowSettings, newNode } from '@prosa/contracts/flows/new-node'
import { chromium, type Page } from 'playwright-core'

/**
 * Frames per second while one of 500 nodes is dragged in Chromium, against a positioned element on an empty page. API replies are stubbed.
 */
const rounds = 3
const steps = 500
const dragMs = 3000

const built = resolve(import.meta.dirname, '../../web/dist/production')
const flowId = '3c0d7f1e-2b4a-4a77-9a61-2f5d8f0c1b11'
const at = '2026-11-23T12:00:00.000Z'

const types = ['message', 'delay', 'question', 'condition', 'label'] as const
const node = (index: number): FlowNode => {
  const position = { x: (index % 25) * 300, y: Math.floor(index / 25) * 195 }
  return index === 0
    ? newNode('trigger', 'n0', position)
    : newNode(types[index % 5] ?? 'message', `n${index}`, position)
}
const outputOf = (type: FlowNode['type']) => (type === 'condition' ? 'true' : type === 'question' ? 'answer' : null)
const nodes = Array.from({ length: steps }, (_, index) => node(index))
const document: FlowDocument = {
  nodes,
  links: nodes.slice(0, -1).map(({ id, type }, index) => ({
    id: `l${index}`,
    source: id,
    target: `n${index + 1}`,
    sourceHandle: outputOf(type),
  })),
  settings: newFlowSettings,
}

const replies: Record<string, unknown> = {
  '/api/auth/user': {
    id: '0a5d0b1e-0d3c-4b57-9d0e-5a2f6c1d7e88',
    firstName: 'Marina',
    lastName: 'Azevedo',
    email: 'marina@padaria.com.br',
    isEmailConfirmed: true,
    mustChangePassword: false,
    profileImageUrl: null,
    company: { name: null, notifications: false, analytics: true },
    roles: [],
    createdAt: at,
    subscriptionStatus: 'active',
    subscriptionEnd: '2099-11-30T12:00:00.000Z',
    isTrial: false,
  },
  '/api/whatsapp/contact-counts': { waiting: 0, asked: 0, bot: 0, attending: 0, resolved: 0 },
  [`/api/flows/${flowId}/statistics`]: {
    executions: 0,
    running: 0,
    leads: 0,
    converted: 0,
    lastRunAt: null,
    clickedExecutions: 0,
    nodes: [],
  },
  [`/api/flows/${flowId}`]: {
    ...{ id: flowId, name: 'Muito grande', folderId: null, status: 'draft', nodeCount: steps, version: null },
    ...{ createdAt: at, updatedAt: at, revision: 1, isChanged: true, document },
  },
}
const mediaTypes: Record<string, string> = { '.js': 'text/javascript', '.css': 'text/css', '.woff2': 'font/woff2' }

const serve = () =>
  new Promise<{ address: string; close: () => void }>((ready) => {
    const server = createServer(async ({ url = '/', method }, reply) => {
      const { pathname } = new URL(url, 'http://127.0.0.1')
      if (pathname === '/reference') return reply.setHeader('content-type', 'text/html').end(reference)
      if (pathname.startsWith('/api/')) {
        const saved = { id: flowId, revision: 2, updatedAt: at }
        return reply
          .setHeader('content-type', 'application/json')
          .end(JSON.stringify(method === 'PUT' ? saved : (replies[pathname] ?? [])))
      }
      const type = mediaTypes[extname(pathname)]
      const file = await readFile(join(built, type ? pathname : 'index.html')).catch(() => null)
      if (!file) return reply.writeHead(404).end()
      reply.setHeader('content-type', type ?? 'text/html').end(file)
    })
    server.listen(0, '127.0.0.1', () => {
      const { port } = server.address() as AddressInfo
      ready({ address: `http://127.0.0.1:${port}`, close: () => server.close() })
    })
  })

const reference = `<!doctype html><div id="step" style="position:absolute;left:100px;top:100px;width:240px;height:90px;background:#ccc"></div>
<script>onpointermove = (e) => { if (e.buttons) step.style.transform = 'translate(' + (e.clientX - 200) + 'px,' + (e.clientY - 140) + 'px)' }</script>`

/** A string: tsx would insert names that the page does not define. */
const countFrames = `new Promise((done) => {
  const began = performance.now()
  let [count, last, longest] = [0, began, 0]
  const frame = (now) => {
    count += 1
    longest = Math.max(longest, now - last)
    last = now
    if (now - began < ${dragMs}) requestAnimationFrame(frame)
    else done({ rate: count / ((now - began) / 1000), longest })
  }
  requestAnimationFrame(frame)
})`

/** Frames per second and the longest frame in ms. */
const drag = async (page: Page, x: number, y: number) => {
  await page.mouse.move(x, y)
  await page.mouse.down()
  await page.mouse.move(x + 20, y + 20)
  const frames = page.evaluate<{ rate: number; longest: number }>(countFrames)
  const end = performance.now() + dragMs
  for (let turn = 0; performance.now() < end; turn += 1)
    await page.mouse.move(x + 120 * Math.sin(turn / 12), y + 90 * Math.cos(turn / 12))
  await page.mouse.up()
  return frames
}

const median = (values: readonly number[]) => values.toSorted((one, other) => one - other)[values.length >> 1] ?? 0

const main = async () => {
  const server = await serve()
  const browser = await chromium.launch({
    executablePath: process.env.CHROMIUM ?? '/usr/bin/chromium',
    args: ['--no-sandbox', '--disable-gpu', '--no-first-run', '--disable-background-networking'],
  })
  try {
    const results = { editor: [] as number[], reference: [] as number[], longest: [] as number[] }
    for (let round = 0; round < rounds; round += 1) {
      const page = await browser.newPage({ viewport: { width: 1280, height: 800 }, locale: 'pt-BR' })
      page.on('pageerror', (error) => console.log('page error:', error.message))
      await page.goto(`${server.address}/reference`)
      results.reference.push((await drag(page, 200, 140)).rate)
      await page.goto(`${server.address}/flow-editor/${flowId}`)
      await page
        .locator('.react-flow__node')
        .nth(steps - 1)
        .waitFor({ state: 'attached' })
      await page.getByLabel('Enquadrar').click()
      // The middle of the flow at minimum zoom has the most nodes in view.
      const box = await page.locator('.react-flow__node').nth(262).boundingBox()
      if (!box) throw new Error('The node in the middle is not on the canvas')
      const { rate, longest } = await drag(page, box.x + box.width / 2, box.y + 8)
      results.editor.push(rate)
      results.longest.push(longest)
      await page.close()
    }
    console.log(`${steps} nodes, one dragged: ${median(results.editor).toFixed(1)} frames a second`)
    console.log(`  the longest wait for a frame: ${median(results.longest).toFixed(0)} ms`)
    console.log(`  an element alone on an empty page: ${median(results.reference).toFixed(1)} frames a second`)
  } finally {
    await browser.close()
    server.close()
  }
}

await main()
