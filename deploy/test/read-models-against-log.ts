import { isDeepStrictEqual } from 'node:util'
import { loadCheckpoint } from '@prosa/kernel/consumers/engine/checkpoints'
import type { Projection } from '@prosa/kernel/consumers/projections/projection'
import { foldOfLog, storedRows } from '@prosa/kernel/consumers/testing/fold-of-log'
import type { Codec } from '@prosa/kernel/event-store/codec'
import { beginning, type EventStore } from '@prosa/kernel/event-store/port'
import { transaction } from '@prosa/kernel/postgres/pool'
import { until } from '@prosa/kernel/testing/until'
import { account } from '@prosa/projections/account/projection'
import { analyticConnections } from '@prosa/projections/analytics/connections/projection'
import { analyticConversations } from '@prosa/projections/analytics/conversations/projection'
import { analyticMessages } from '@prosa/projections/analytics/messages/projection'
import { analyticSubscriptions } from '@prosa/projections/analytics/subscriptions/projection'
import { chatMessages } from '@prosa/projections/chat-messages/projection'
import { company } from '@prosa/projections/company/projection'
import { connections } from '@prosa/projections/connections/projection'
import { contactDirectory } from '@prosa/projections/contact-directory/projection'
import { contactList } from '@prosa/projections/contact-list/projection'
import { conversationWaits } from '@prosa/projections/dashboard/conversation-waits/projection'
import { hourlyActivity } from '@prosa/projections/dashboard/hourly-activity/projection'
import { defaultFlow } from '@prosa/projections/default-flow/projection'
import { flowFolders } from '@prosa/projections/flow-folders/projection'
import { flowRuns } from '@prosa/projections/flow-runs/projection'
import { flowStatistics } from '@prosa/projections/flow-statistics/projection'
import { flowVersions } from '@prosa/projections/flow-versions/projection'
import { flows } from '@prosa/projections/flows/projection'
import { labels } from '@prosa/projections/labels/projection'
import { mediaFiles } from '@prosa/projections/media/projection'
import { messageSearch } from '@prosa/projections/message-search/projection'
import { openingHours } from '@prosa/projections/opening-hours/projection'
import { plans } from '@prosa/projections/plans/projection'
import { quickReplies } from '@prosa/projections/quick-replies/projection'
import { orderTotals } from '@prosa/projections/totals/order-totals'
import { tenantTotals } from '@prosa/projections/totals/tenant-totals'
import { userTotals } from '@prosa/projections/totals/user-totals'
import { transactions } from '@prosa/projections/transactions/projection'
import { usage } from '@prosa/projections/usage/projection'
import { users } from '@prosa/projections/users/projection'
import type { Pool } from 'pg'

export interface Log {
  store: EventStore
  codec: Codec
}

const differs = async <Row extends object>({ store, codec }: Log, pool: Pool, projection: Projection<Row>) => {
  let end = beginning
  for await (const { upTo } of store.readAll(beginning, projection)) end = upTo
  await until(async () => (await loadCheckpoint(pool, projection.name, projection.version)) >= end)
  // Rows and checkpoint are of one snapshot, and the fold ends at that checkpoint: the log may go on.
  const shown = await transaction(pool, async (db) => {
    await db.query('set transaction isolation level repeatable read')
    const position = await loadCheckpoint(db, projection.name, projection.version)
    return { position, rows: await storedRows(db, projection.table) }
  })
  const expected = await foldOfLog(projection, { store, codec }, shown.position)
  if (isDeepStrictEqual(expected, shown.rows)) return []
  return [
    `${projection.name} at ${shown.position}: ${JSON.stringify(shown.rows)} instead of ${JSON.stringify(expected)}`,
  ]
}

/** Differences between read models and a fold of the whole log; empty if none. */
export const readModelsAgainstLog = async (log: Log, pool: Pool): Promise<string[]> => [
  ...(await differs(log, pool, account)),
  ...(await differs(log, pool, connections)),
  ...(await differs(log, pool, contactList)),
  ...(await differs(log, pool, chatMessages)),
  ...(await differs(log, pool, messageSearch)),
  ...(await differs(log, pool, quickReplies)),
  ...(await differs(log, pool, openingHours)),
  ...(await differs(log, pool, company)),
  ...(await differs(log, pool, labels)),
  ...(await differs(log, pool, flowFolders)),
  ...(await differs(log, pool, flows)),
  ...(await differs(log, pool, flowVersions)),
  ...(await differs(log, pool, defaultFlow)),
  ...(await differs(log, pool, plans)),
  ...(await differs(log, pool, transactions)),
  ...(await differs(log, pool, mediaFiles)),
  ...(await differs(log, pool, usage)),
  ...(await differs(log, pool, hourlyActivity)),
  ...(await differs(log, pool, conversationWaits)),
  ...(await differs(log, pool, flowRuns)),
  ...(await differs(log, pool, flowStatistics)),
  ...(await differs(log, pool, users)),
  ...(await differs(log, pool, contactDirectory)),
  ...(await differs(log, pool, userTotals)),
  ...(await differs(log, pool, orderTotals)),
  ...(await differs(log, pool, tenantTotals)),
  ...(await differs(log, pool, analyticConversations)),
  ...(await differs(log, pool, analyticMessages)),
  ...(await differs(log, pool, analyticConnections)),
  ...(await differs(log, pool, analyticSubscriptions)),
]
