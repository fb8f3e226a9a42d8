import { randomUUID } from 'node:crypto'
import { silentLog } from '@prosa/kernel/observability/log'
import { openPorts } from '@prosa/product/process/open-ports'
import { readSide } from '@prosa/projections/read-side'
import type { LineCommand } from '@prosa/sessions/domain/line'
import { sessionHandlers } from '@prosa/sessions/handlers'
import { jidOf } from './grown-line.ts'
import { eventStoreUrl } from './measured-log.ts'

export interface FirstCommand {
  ms: number
  newLine: number
  rss: number
  heapUsed: number
}

/** Arguments: database, master secret (hex), connection, tenant. An empty line warms code and connections first. */
const [, , databaseUrl = '', secret = '', connectionId = '', tenant = ''] = process.argv
const ports = await openPorts({
  databaseUrl,
  masterSecret: Buffer.from(secret, 'hex'),
  log: silentLog(),
  readSide,
  services: [],
  eventStoreUrl,
})
const { lines } = sessionHandlers(ports)

const arrive = (): LineCommand => ({
  type: 'RecordArrival',
  data: {
    messageId: `3A${randomUUID().replaceAll('-', '').toUpperCase()}`,
    chatJid: jidOf(7),
    alternateJid: null,
    fromMe: false,
    pushName: 'Cliente',
    sentAt: new Date().toISOString(),
    via: 'notify',
    content: { kind: 'text', text: 'Ainda tem bolo de cenoura?' },
    raw: '',
  },
})
const give = async (id: string) => {
  const context = {
    commandId: randomUUID(),
    actor: { kind: 'whatsapp', id } as const,
    tenant,
    causationId: id,
    correlationId: id,
  }
  const outcome = await lines(id, arrive(), context)
  if (!outcome.ok || outcome.events.length !== 1) throw new Error('the message was not stored')
}

const timed = async (id: string) => {
  const began = performance.now()
  await give(id)
  return performance.now() - began
}

await give(randomUUID())
const newLine = await timed(randomUUID())
const ms = await timed(connectionId)
const { rss, heapUsed } = process.memoryUsage()
await ports.snapshots.drain()
process.send?.({ ms, newLine, rss, heapUsed } satisfies FirstCommand)
await ports.store.close()
await ports.close()
process.exit(0)
