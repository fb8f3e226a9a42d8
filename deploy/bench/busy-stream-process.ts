import { randomUUID } from 'node:crypto'
import { silentLog } from '@prosa/kernel/observability/log'
import { openPorts } from '@prosa/product/process/open-ports'
import { readSide } from '@prosa/projections/read-side'
import type { LineCommand } from '@prosa/sessions/domain/line'
import { sessionHandlers } from '@prosa/sessions/handlers'
import { arrivalOf } from './grown-line.ts'
import { eventStoreUrl } from './measured-log.ts'

export interface BusyStream {
  events: number
  /** CPU time of the whole process per command, in µs. */
  microseconds: number
}

/** Commands to one line, 50 at a time. Arguments: database, master secret (hex), connection, tenant, stream lengths, limit in seconds. */
const [, , databaseUrl = '', secret = '', connectionId = '', tenant = '', lengths = '', limit = ''] = process.argv
const atOnce = 50
/** Each figure is the mean of this many commands, up to that stream length. */
const measured = 500

const ports = await openPorts({
  databaseUrl,
  masterSecret: Buffer.from(secret, 'hex'),
  log: silentLog(),
  readSide,
  services: [],
  eventStoreUrl,
})
const { lines } = sessionHandlers(ports)
const endsAt = performance.now() + Number(limit) * 1000
let given = 0

const give = async () => {
  const command: LineCommand = { type: 'RecordArrival', data: arrivalOf(given++) }
  const outcome = await lines(connectionId, command, {
    commandId: randomUUID(),
    actor: { kind: 'whatsapp', id: connectionId },
    tenant,
    causationId: connectionId,
    correlationId: connectionId,
  })
  if (!outcome.ok || outcome.events.length !== 1) throw new Error('a message was not stored')
}

/** False if the time limit came first. */
const growTo = async (events: number): Promise<boolean> => {
  const caller = async () => {
    while (given < events && performance.now() < endsAt) await give()
  }
  await Promise.all(Array.from({ length: atOnce }, caller))
  return given >= events
}

const found: BusyStream[] = []
for (const events of lengths.split(',').map(Number)) {
  if (!(await growTo(events - measured))) break
  const before = process.cpuUsage()
  const began = given
  await growTo(events)
  const { user, system } = process.cpuUsage(before)
  if (given > began) found.push({ events: given, microseconds: Math.round((user + system) / (given - began)) })
}
process.send?.(found, () => process.exit(0))
