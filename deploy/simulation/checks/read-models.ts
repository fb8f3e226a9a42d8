import { isDeepStrictEqual } from 'node:util'
import { flowIds } from '@prosa/automation/flow-ids'
import { flowLinks } from '@prosa/automation/links/flow-links'
import { flowsOn } from '@prosa/automation/run/flows-on'
import { flowContacts, runContacts } from '@prosa/automation/run/run-contacts'
import { planDays } from '@prosa/billing/plans/plan-days'
import { tenantContacts } from '@prosa/contacts/contact/tenant-contacts'
import { unidentifiedNumbers } from '@prosa/contacts/numbers/unidentified-numbers'
import { openLines } from '@prosa/contacts/open-lines'
import { outOfHoursFlows } from '@prosa/contacts/sending/out-of-hours-flows'
import { parseStream } from '@prosa/contracts/streams'
import type { Projection } from '@prosa/kernel/consumers/projections/projection'
import { foldInto } from '@prosa/kernel/consumers/projections/writing/fold-batch'
import { storedRows } from '@prosa/kernel/consumers/testing/fold-of-log'
import { account } from '@prosa/projections/account/projection'
import { analyticConnections } from '@prosa/projections/analytics/connections/projection'
import { analyticConversations } from '@prosa/projections/analytics/conversations/projection'
import { analyticMessages } from '@prosa/projections/analytics/messages/projection'
import { analyticSubscriptions } from '@prosa/projections/analytics/subscriptions/projection'
import { chatMessages } from '@prosa/projections/chat-messages/projection'
import { company } from '@prosa/projections/company/projection'
import { connections } from '@prosa/projections/connections/projection'
import { contactFieldValues } from '@prosa/projections/contact-details/field-values'
import { contactFields } from '@prosa/projections/contact-details/fields'
import { contactNotes } from '@prosa/projections/contact-details/notes'
import { contactDirectory } from '@prosa/projections/contact-directory/projection'
import { contactList } from '@prosa/projections/contact-list/projection'
import { contactVersions } from '@prosa/projections/contact-list/versions/projection'
import { conversationWaits } from '@prosa/projections/dashboard/conversation-waits/projection'
import { hourlyActivity } from '@prosa/projections/dashboard/hourly-activity/projection'
import { flowRuns } from '@prosa/projections/flow-runs/projection'
import { flowStatistics } from '@prosa/projections/flow-statistics/projection'
import { flowVersions } from '@prosa/projections/flow-versions/projection'
import { flows } from '@prosa/projections/flows/projection'
import { historyLinks } from '@prosa/projections/history/links/projection'
import { historyTimeline } from '@prosa/projections/history/timeline/projection'
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

/** Rows as the database returns them: no undefined, large integers as text. */
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

/** Of the services, kept by every process. */
const ofServices = new Set(
  [
    flowLinks,
    flowIds,
    flowContacts,
    runContacts,
    flowsOn,
    openLines,
    outOfHoursFlows,
    planDays,
    tenantContacts,
    unidentifiedNumbers,
  ].map(({ name }) => name),
)

export const wrongReadModels = async (
  happened: Happened,
  pool: Pool,
  kept: readonly { name: string }[],
): Promise<string[]> => {
  const names = new Set(kept.map(({ name }) => name))
  const check = async <Row extends object>(projection: Projection<Row>): Promise<string[]> =>
    names.has(projection.name) || ofServices.has(projection.name) ? differs(happened, pool, projection) : []
  return [
    ...(await check(account)),
    ...(await check(analyticConnections)),
    ...(await check(analyticConversations)),
    ...(await check(analyticMessages)),
    ...(await check(analyticSubscriptions)),
    ...(await check(chatMessages)),
    ...(await check(company)),
    ...(await check(connections)),
    ...(await check(contactDirectory)),
    ...(await check(contactList)),
    ...(await check(contactVersions)),
    ...(await check(contactNotes)),
    ...(await check(contactFieldValues)),
    ...(await check(contactFields)),
    ...(await check(conversationWaits)),
    ...(await check(hourlyActivity)),
    ...(await check(flowLinks)),
    ...(await check(flowIds)),
    ...(await check(flowContacts)),
    ...(await check(runContacts)),
    ...(await check(flowRuns)),
    ...(await check(flowStatistics)),
    ...(await check(flowVersions)),
    ...(await check(flows)),
    ...(await check(flowsOn)),
    ...(await check(historyLinks)),
    ...(await check(historyTimeline)),
    ...(await check(messageSearch)),
    ...(await check(openingHours)),
    ...(await check(openLines)),
    ...(await check(outOfHoursFlows)),
    ...(await check(planDays)),
    ...(await check(plans)),
    ...(await check(orderTotals)),
    ...(await check(tenantTotals)),
    ...(await check(userTotals)),
    ...(await check(transactions)),
    ...(await check(tenantContacts)),
    ...(await check(unidentifiedNumbers)),
    ...(await check(usage)),
    ...(await check(users)),
    ...(await check(webhookDeliveries)),
  ]
}
