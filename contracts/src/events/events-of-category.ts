import type { Category } from '../streams.ts'
import {
  defaultFlowEvents,
  flowEvents,
  flowFolderEvents,
  flowOrderEvents,
  flowRunEvents,
  flowSecretEvents,
} from './automation.ts'
import {
  entitlementEvents,
  kiwifySubscriptionEvents,
  orderEvents,
  planEvents,
  refusedDeliveryEvents,
  subscriptionEvents,
  webhookDeliveryEvents,
} from './billing.ts'
import {
  chatEvents,
  contactEvents,
  contactFieldEvents,
  contactKeyEvents,
  labelEvents,
  openingHoursEvents,
  quickReplyEvents,
} from './contacts.ts'
import { companyEvents, emailClaimEvents, passwordResetEvents, supportRequestEvents, userEvents } from './identity.ts'
import {
  apiKeyEvents,
  dataExportEvents,
  operationsEvents,
  readModelRebuildEvents,
  streamExportEvents,
  tenantReadingEvents,
} from './operations.ts'
import { connectionEvents, lineEvents, mediaEvents } from './sessions.ts'
import { webhookEvents } from './webhooks.ts'

/** Schemas of the stored events by type, for each category of streams. */
export const eventsOfCategory: Record<Category, object> = {
  user: userEvents,
  emailClaim: emailClaimEvents,
  passwordReset: passwordResetEvents,
  company: companyEvents,
  supportRequest: supportRequestEvents,
  subscription: subscriptionEvents,
  webhookDelivery: webhookDeliveryEvents,
  refusedDeliveries: refusedDeliveryEvents,
  order: orderEvents,
  kiwifySubscription: kiwifySubscriptionEvents,
  entitlement: entitlementEvents,
  plan: planEvents,
  contact: contactEvents,
  contactKey: contactKeyEvents,
  chat: chatEvents,
  quickReply: quickReplyEvents,
  openingHours: openingHoursEvents,
  label: labelEvents,
  contactField: contactFieldEvents,
  flowFolder: flowFolderEvents,
  flow: flowEvents,
  defaultFlow: defaultFlowEvents,
  flowOrder: flowOrderEvents,
  flowSecret: flowSecretEvents,
  flowRun: flowRunEvents,
  connection: connectionEvents,
  line: lineEvents,
  media: mediaEvents,
  parkedWork: operationsEvents,
  tenantReading: tenantReadingEvents,
  dataExport: dataExportEvents,
  readModelRebuild: readModelRebuildEvents,
  apiKey: apiKeyEvents,
  streamExport: streamExportEvents,
  webhook: webhookEvents,
}
