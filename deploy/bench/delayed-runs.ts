import { randomUUID } from 'node:crypto'
import { setTimeout as delay } from 'node:timers/promises'
import type { Codec } from '@prosa/kernel/event-store/codec'
import { beginning, type EventStore } from '@prosa/kernel/event-store/port'
import { until } from '@prosa/kernel/testing/until'
import type { Pool } from 'pg'
import { delayedFlow, peopleInFlows } from '../test/people-in-flows.ts'

interface Product {
  pool: Pool
  store: EventStore
  codec: Codec
}

/**
 * Brings runs to a delay that ends at `due` (ms since 1970), over several lines of one tenant. Delay step, message, message step and end
 * then follow.
 */
export const delayedRuns = async (
  { pool, store, codec }: Product,
  { runs, lines, secondsUntilDue }: { runs: number; lines: number; secondsUntilDue: number },
) => {
  const shop = peopleInFlows({ store, codec })
  const recorded = async (type: string) => {
    const found: string[] = []
    for await (const { events } of store.readAll(beginning, { categories: ['flowRun'] }))
      for (const event of events)
        if (event.metadata.tenant === shop.tenant && event.type === type) found.push(event.metadata.recordedAt)
    return found
  }
  const connections = await Promise.all(Array.from({ length: lines }, () => shop.line()))
  const flowId = await shop.flow(delayedFlow('oi', [5]))
  const known = 'select from flow_on where flow_id = $1'
  await until(async () => ((await pool.query(known, [flowId])).rowCount ?? 0) > 0, 30_000)
  const due = Date.now() + secondsUntilDue * 1000
  const begin = async (index: number) => {
    const contactId = await shop.person()
    const connectionId = connections[index % lines] ?? ''
    const run = { runId: randomUUID(), flowId, version: 1 }
    const step = (number: number, nodeId: string) => ({ ...run, step: number, nodeId })
    const started = { ...run, connectionId, startedBy: 'keyword', startMessageId: randomUUID(), text: 'oi' } as const
    await shop.record(
      `flowRun-${contactId}`,
      { type: 'FlowRunStarted', data: started },
      { type: 'FlowStepTaken', data: { ...step(1, 'start'), type: 'trigger', output: null } },
      { type: 'FlowStepTaken', data: { ...step(2, 'says0'), type: 'message', output: null } },
      { type: 'FlowDelayStarted', data: { ...step(3, 'rests0'), until: new Date(due).toISOString() } },
    )
    // Its history is then cached in the process that continues it.
    await shop.writes(contactId, connectionId, 'alô?')
  }
  for (let index = 0; index < runs; index += 50)
    await Promise.all(Array.from({ length: Math.min(50, runs - index) }, (_, each) => begin(index + each)))
  const isReady = async () => {
    await delay(200)
    return (await recorded('FlowInputKept')).length === runs
  }
  await until(isReady, secondsUntilDue * 1000)
  if (Date.now() > due - 1000) throw new Error('this machine is too slow to have them ready in time')
  return {
    tenant: shop.tenant,
    due,
    recorded,
    /** Does not read the log, which would add load. */
    areOver: () =>
      until(async () => {
        await delay(200)
        const over = 'select count(*)::int as count from flow_run_place where owner = $1 and is_over'
        return (await pool.query<{ count: number }>(over, [shop.tenant])).rows[0]?.count === runs
      }, 120_000),
  }
}
