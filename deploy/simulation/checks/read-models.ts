import { isDeepStrictEqual } from 'node:util'
import { flowPlaces } from '@prosa/automation/flow-places'
import { flowLinks } from '@prosa/automation/links/flow-links'
import { flowRunPlaces } from '@prosa/automation/run/flow-run-places'
import { flowsOn } from '@prosa/automation/run/flows-on'
import { planDays } from '@prosa/billing/plan-days'
import { openLines } from '@prosa/contacts/open-lines'
import { outOfHoursFlows } from '@prosa/contacts/out-of-hours-flows'
import { unidentifiedNumbers } from '@prosa/contacts/unidentified-numbers'
import { parseStream } from '@prosa/contracts/streams'
import { foldInto } from '@prosa/kernel/consumers/projections/fold-batch'
import type { Projection } from '@prosa/kernel/consumers/projections/projection'
import { storedRows } from '@prosa/kernel/consumers/testing/fold-of-log'
import { account } from '@prosa/projections/account/projection'
import { chatMessages } from '@prosa/projections/chat-messages/projection'
import { company } from '@prosa/projections/company/projection'
import { connections } from '@prosa/projections/connections/projection'
import { contactDirectory } from '@prosa/projections/contact-directory/projection'
import { contactList } from '@prosa/projections/contact-list/projection'
import { contactNotes } from '@prosa/projections/contact-notes/projection'
import { conversationWaits } from '@prosa/projections/dashboard/conversation-waits/projection'
import { hourlyActivity } from '@prosa/projections/dashboard/hourly-activity/projection'
import { flowRuns } from '@prosa/projections/flow-runs/projection'
import { flowStatistics } from '@prosa/projections/flow-statistics/projection'
import { flowVersions } from '@prosa/projections/flow-versions/projection'
import { flows } from '@prosa/projections/flows/projection'
import { historyLinks } from '@prosa/projections/history/links/projection'
import { historyPlaces } from '@prosa/projections/history/places/projection'
import { messageSearch } from '@prosa/projections/message-search/projection'
import { openingHours } from '@prosa/projections/opening-hours/projection'
import { plans } from '@prosa/projections/plans/projection'
import { orderTotals } from '@prosa/projections/totals/order-totals'
import { tenantTotals } from '@prosa/projections/totals/tenant-totals'
import { userTotals } from '@prosa/projections/totals/user-totals'
import { transactions } from '@prosa/projections/transactions/projection'
import { usage } from '@prosa/projections/usage/projection'
import { users } from '@prosa/projections/users/projection'
import { webhookDeliveries } from '@prosa/projections/webhook-deliveries/projection'
import type { Pool } from 'pg'
import type { Happened } from './happened.ts'

const foldOf = <Row extends object>(projection: Projection<Row>, { events }: Happened): Row[] => {
  const rows = new Map<string, Row>()
  const wanted = new Set<string>(projection.categories)
  for (const event of events) if (wanted.has(parseStream(event.stream).category)) foldInto(projection, rows, event)
  const { key } = projection.table
  return [...rows.values()].sort((one, other) => (String(one[key]) < String(other[key]) ? -1 : 1))
}

/** As the database answers it: nothing is undefined, and whole numbers that may be large are text. */
const asStored = <Row extends object>(row: Row): Row =>
  JSON.parse(JSON.stringify(row), function (this: unknown, name, value) {
    return name !== '' && typeof value === 'number' && !Array.isArray(this) ? String(value) : value
  })

const differs = async <Row extends object>(happened: Happened, pool: Pool, projection: Projection<Row>) => {
  const stored = (await storedRows(pool, projection.table)).map(asStored)
  const expected = foldOf(projection, happened).map(asStored)
  if (isDeepStrictEqual(stored, expected)) return []
  const { key } = projection.table
  const wrong = [...stored, ...expected].find(
    (row) =>
      !isDeepStrictEqual(
        stored.find((each) => each[key] === row[key]),
        expected.find((each) => each[key] === row[key]),
      ),
  )
  const shown = (rows: readonly Row[]) => JSON.stringify(rows.find((each) => each[key] === wrong?.[key]))
  return [`${projection.name} shows ${shown(stored)}, and its fold is ${shown(expected)}`]
}

/** The read models that do not show what the log comes to. */
export const wrongReadModels = async (happened: Happened, pool: Pool): Promise<string[]> => [
  ...(await differs(happened, pool, account)),
  ...(await differs(happened, pool, chatMessages)),
  ...(await differs(happened, pool, company)),
  ...(await differs(happened, pool, connections)),
  ...(await differs(happened, pool, contactDirectory)),
  ...(await differs(happened, pool, contactList)),
  ...(await differs(happened, pool, contactNotes)),
  ...(await differs(happened, pool, conversationWaits)),
  ...(await differs(happened, pool, hourlyActivity)),
  ...(await differs(happened, pool, flowLinks)),
  ...(await differs(happened, pool, flowPlaces)),
  ...(await differs(happened, pool, flowRunPlaces)),
  ...(await differs(happened, pool, flowRuns)),
  ...(await differs(happened, pool, flowStatistics)),
  ...(await differs(happened, pool, flowVersions)),
  ...(await differs(happened, pool, flows)),
  ...(await differs(happened, pool, flowsOn)),
  ...(await differs(happened, pool, historyLinks)),
  ...(await differs(happened, pool, historyPlaces)),
  ...(await differs(happened, pool, messageSearch)),
  ...(await differs(happened, pool, openingHours)),
  ...(await differs(happened, pool, openLines)),
  ...(await differs(happened, pool, outOfHoursFlows)),
  ...(await differs(happened, pool, planDays)),
  ...(await differs(happened, pool, plans)),
  ...(await differs(happened, pool, orderTotals)),
  ...(await differs(happened, pool, tenantTotals)),
  ...(await differs(happened, pool, userTotals)),
  ...(await differs(happened, pool, transactions)),
  ...(await differs(happened, pool, unidentifiedNumbers)),
  ...(await differs(happened, pool, usage)),
  ...(await differs(happened, pool, users)),
  ...(await differs(happened, pool, webhookDeliveries)),
]
