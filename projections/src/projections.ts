import { type TermsVersion, termsWritten } from '@prosa/contracts/values/terms'
import type { ConsumerStatuses, ReportedStatus } from '@prosa/kernel/consumers/engine/consumer-status'
import {
  healthOf,
  keepReadModels,
  type ReadModel,
  readModel,
} from '@prosa/kernel/consumers/projections/keep-read-models'
import { showProgress } from '@prosa/kernel/consumers/projections/rebuild/show-progress'
import { keepLogTimes } from '@prosa/kernel/event-store/times/log-times'
import { keepChain } from '@prosa/kernel/operations/hash-chain/extend-chain'
import { defaultPlanRules, type PlanRules } from '@prosa/product/entitlements/plan-rules'
import type { Service } from '@prosa/product/ports'
import { photoRoutes } from './account/photo-routes.ts'
import { account } from './account/projection.ts'
import { accountRoutes } from './account/routes.ts'
import { analyticConnections } from './analytics/connections/projection.ts'
import { analyticConversations } from './analytics/conversations/projection.ts'
import { analyticMessages } from './analytics/messages/projection.ts'
import { analyticSubscriptions } from './analytics/subscriptions/projection.ts'
import { apiKeyList } from './api-keys/projection.ts'
import { apiKeyRoutes } from './api-keys/routes.ts'
import { momentRoutes } from './as-it-was/routes.ts'
import { chatMessages } from './chat-messages/projection.ts'
import { chatMessageRoutes } from './chat-messages/routes.ts'
import { company } from './company/projection.ts'
import { companyRoutes } from './company/routes.ts'
import { connections } from './connections/projection.ts'
import type { Network } from './connections/queries.ts'
import { connectionRoutes } from './connections/routes.ts'
import { contactFieldValues } from './contact-details/field-values.ts'
import { contactFields } from './contact-details/fields.ts'
import { contactNotes } from './contact-details/notes.ts'
import { contactDetailRoutes } from './contact-details/routes.ts'
import { contactDirectory } from './contact-directory/projection.ts'
import { contactDirectoryRoutes } from './contact-directory/routes.ts'
import { contactList } from './contact-list/projection.ts'
import { contactListRoutes } from './contact-list/routes.ts'
import { contactVersions } from './contact-list/versions/projection.ts'
import { conversationLines } from './conversation-lines/projection.ts'
import { conversationWaits } from './dashboard/conversation-waits/projection.ts'
import { hourlyActivity } from './dashboard/hourly-activity/projection.ts'
import { dashboardRoutes } from './dashboard/routes.ts'
import { defaultFlow } from './default-flow/projection.ts'
import { defaultFlowRoutes } from './default-flow/routes.ts'
import { erasureRoutes } from './erasures/routes.ts'
import { exportRoutes } from './export/routes.ts'
import { flowFolders } from './flow-folders/projection.ts'
import { flowFolderRoutes } from './flow-folders/routes.ts'
import { flowRuns } from './flow-runs/projection.ts'
import { flowRunRoutes } from './flow-runs/routes.ts'
import { flowStatistics } from './flow-statistics/projection.ts'
import { flowStatisticRoutes } from './flow-statistics/routes.ts'
import { flowVersions } from './flow-versions/projection.ts'
import { flowVersionRoutes } from './flow-versions/routes.ts'
import { flows } from './flows/projection.ts'
import { flowRoutes } from './flows/routes.ts'
import { conversationHistoryRoutes } from './history/conversations/routes.ts'
import { historyLinks } from './history/links/projection.ts'
import { historyReasons } from './history/reasons/projection.ts'
import { refusedRequestRoutes } from './history/refused-requests.ts'
import { historyRoutes } from './history/routes.ts'
import { tenantHistoryRoutes } from './history/tenant/routes.ts'
import { historyTimeline } from './history/timeline/projection.ts'
import { whyRoutes } from './history/why/routes.ts'
import { labels } from './labels/projection.ts'
import { labelRoutes } from './labels/routes.ts'
import { latestMessageRoutes } from './latest-messages/routes.ts'
import { mediaFiles } from './media/projection.ts'
import { mediaRoutes } from './media/routes.ts'
import { messageSearch } from './message-search/projection.ts'
import { messageSearchRoutes } from './message-search/routes.ts'
import { openingHours } from './opening-hours/projection.ts'
import { openingHoursRoutes } from './opening-hours/routes.ts'
import { planWhatIfRoutes } from './plan-what-if/plan-what-if.ts'
import { plans } from './plans/projection.ts'
import { type ConfiguredWebhooks, planRoutes } from './plans/routes.ts'
import { publicApiRoutes } from './public-api/routes.ts'
import { quickReplies } from './quick-replies/projection.ts'
import { quickReplyRoutes } from './quick-replies/routes.ts'
import { keepDaysTrue } from './streams/days/drop-days.ts'
import { streamMigrations } from './streams/days/migrations.ts'
import { streamRoutes } from './streams/routes.ts'
import { supportRequests } from './support-requests/projection.ts'
import { type SupportChannels, supportRoutes } from './support-requests/routes.ts'
import { monthlyTotals } from './totals/monthly-totals.ts'
import { orderTotals } from './totals/order-totals.ts'
import { totalsRoutes } from './totals/routes.ts'
import { tenantTotals } from './totals/tenant-totals.ts'
import { userTotals } from './totals/user-totals.ts'
import { transactions } from './transactions/projection.ts'
import { type Selling, transactionRoutes } from './transactions/routes.ts'
import { usage } from './usage/projection.ts'
import { usageRoutes } from './usage/routes.ts'
import { users } from './users/projection.ts'
import { userRoutes } from './users/routes.ts'
import { webhookDeliveries } from './webhook-deliveries/projection.ts'
import { webhookDeliveryRoutes } from './webhook-deliveries/routes.ts'
import { webhookList } from './webhooks/projection.ts'
import { webhookRoutes } from './webhooks/routes.ts'

export const readModels = [
  readModel(account),
  readModel(connections),
  readModel(contactList),
  readModel(contactNotes),
  readModel(chatMessages),
  readModel(conversationLines),
  readModel(mediaFiles),
  readModel(messageSearch),
  readModel(quickReplies),
  readModel(openingHours),
  readModel(company),
  readModel(labels),
  readModel(contactFields),
  readModel(contactFieldValues),
  readModel(flowFolders),
  readModel(flows),
  readModel(flowVersions),
  readModel(defaultFlow),
  readModel(users),
  readModel(contactDirectory),
  readModel(userTotals),
  readModel(orderTotals),
  readModel(tenantTotals),
  readModel(monthlyTotals),
  readModel(plans),
  readModel(webhookDeliveries),
  readModel(transactions),
  readModel(usage),
  readModel(supportRequests),
  readModel(hourlyActivity),
  readModel(conversationWaits),
  readModel(flowRuns),
  readModel(flowStatistics),
  readModel(historyTimeline),
  readModel(historyLinks),
  readModel(historyReasons),
  readModel(apiKeyList),
  readModel(analyticConversations),
  readModel(analyticMessages),
  readModel(analyticConnections),
  readModel(analyticSubscriptions),
  readModel(webhookList),
  readModel(contactVersions),
]

const allRoutes = [
  photoRoutes,
  contactListRoutes,
  contactDetailRoutes,
  chatMessageRoutes,
  momentRoutes,
  mediaRoutes,
  messageSearchRoutes,
  quickReplyRoutes,
  openingHoursRoutes,
  companyRoutes,
  labelRoutes,
  flowFolderRoutes,
  flowRoutes,
  flowVersionRoutes,
  defaultFlowRoutes,
  webhookDeliveryRoutes,
  usageRoutes,
  dashboardRoutes,
  userRoutes,
  contactDirectoryRoutes,
  latestMessageRoutes,
  totalsRoutes,
  flowRunRoutes,
  flowStatisticRoutes,
  historyRoutes,
  erasureRoutes,
  whyRoutes,
  refusedRequestRoutes,
  tenantHistoryRoutes,
  conversationHistoryRoutes,
  exportRoutes,
  apiKeyRoutes,
  publicApiRoutes,
  webhookRoutes,
  streamRoutes,
]

export interface ProjectionSettings {
  /** The read models of this process; default: all. Others are answered as another process built them. */
  models?: readonly ReadModel[]
  /** The first is the default. Default: WhatsApp. */
  networks?: readonly [Network, ...Network[]]
  /** Default: none configured. */
  webhooks?: ConfiguredWebhooks
  selling?: Selling
  /** Default: as the texts were written. */
  termsVersion?: TermsVersion
  support?: SupportChannels
  /** What administrators compare other rules with. */
  planRules?: PlanRules
  /** Of the log's hash chain; without it none is made. */
  headsFile?: string
}

export interface Projections extends Service {
  /** Empty before mounting. */
  statuses(): ReportedStatus[]
}

const noToken = { isConfigured: false, hasShortToken: false }

export const projections = ({
  models = readModels,
  networks = ['whatsapp'],
  webhooks = { approved: noToken, refunded: noToken },
  selling = { seller: { name: 'Prosa' } },
  termsVersion = termsWritten,
  support = {},
  planRules = defaultPlanRules,
  headsFile,
}: ProjectionSettings = {}): Projections => {
  let report: () => ReportedStatus[] = () => []
  return {
    name: 'projections',
    migrations: streamMigrations,
    statuses: () => report(),
    async mount(ports) {
      const running = await keepReadModels(models, ports)
      const streamStatuses: ConsumerStatuses = new Map()
      report = running.report
      return {
        routes: async (app) => {
          for (const routes of allRoutes) await app.register(routes(ports))
          await app.register(connectionRoutes(ports, networks))
          await app.register(planRoutes(ports, webhooks))
          await app.register(planWhatIfRoutes(ports, planRules))
          await app.register(accountRoutes(ports, termsVersion))
          await app.register(transactionRoutes(ports, selling))
          await app.register(supportRoutes(ports, support))
        },
        run: async (signal) => {
          showProgress(running.statuses, { log: ports.log, terminal: process.stdout }, signal)
          await Promise.all([
            running.run(signal),
            keepLogTimes(ports, signal),
            keepDaysTrue(ports, signal, streamStatuses),
            headsFile && keepChain(ports, headsFile, signal),
          ])
        },
        parkers: running.parkers,
        health: () => ({ ...running.health(), ...healthOf(streamStatuses) }),
        waitsFor: () => ports.readModels.neverBuilt(models.map(({ name }) => name)),
        metrics: running.metrics,
      }
    },
  }
}
