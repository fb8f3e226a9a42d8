import type { TableName } from '@prosa/contracts/published/tables/all-tables'
import type { AnalyticTable } from './analytic-table.ts'
import { connectionDays } from './connections/days.ts'
import { analyticConnections } from './connections/projection.ts'
import { analyticConversations } from './conversations/projection.ts'
import { shownConversation } from './conversations/shown.ts'
import { analyticMessages } from './messages/projection.ts'
import { shownMessage } from './messages/shown.ts'
import { tableOfRows } from './pages.ts'
import { analyticSubscriptions, shownSubscription } from './subscriptions/projection.ts'

const { name: conversations, table: conversationTable } = analyticConversations
const { name: messages, table: messageTable } = analyticMessages
const { name: subscriptions, table: periodTable } = analyticSubscriptions

export const analyticTables: Readonly<Record<TableName, AnalyticTable & { stored: string }>> = {
  conversations: {
    stored: conversationTable.name,
    ...tableOfRows({
      readModel: conversations,
      table: conversationTable,
      condition: 'conversation_id is not null',
      personal: {
        columns: `c.name as "contactName", c.phone as "contactPhone"`,
        joins: `left join contact_list c on c.id = t."personId" and c.owner = $1`,
      },
      show: shownConversation,
    }),
  },
  messages: {
    stored: messageTable.name,
    ...tableOfRows({
      readModel: messages,
      table: messageTable,
      personal: { columns: 'm.content', joins: 'left join chat_message m on m.key = t.key and m.owner = $1' },
      show: shownMessage,
    }),
  },
  connections: { stored: analyticConnections.table.name, ...connectionDays },
  subscriptions: {
    stored: periodTable.name,
    ...tableOfRows({ readModel: subscriptions, table: periodTable, show: shownSubscription }),
  },
}
