import { accessEndpoints } from './accounts/access.ts'
import { authEndpoints } from './accounts/auth.ts'
import { buyerEndpoints } from './accounts/buyers.ts'
import { companyEndpoints } from './accounts/company.ts'
import { kiwifyEndpoints } from './accounts/kiwify.ts'
import { planEndpoints } from './accounts/plans.ts'
import { profilePhotoEndpoints } from './accounts/profile-photo.ts'
import { supportEndpoints } from './accounts/support.ts'
import { tenantHistoryEndpoints } from './accounts/tenant-history.ts'
import { transactionEndpoints } from './accounts/transactions.ts'
import { usageEndpoints } from './accounts/usage.ts'
import { webhookLogEndpoints } from './accounts/webhook-logs.ts'
import { adminListEndpoints } from './administration/admin-lists.ts'
import { erasureEndpoints } from './administration/erasures.ts'
import { exportEndpoints } from './administration/exports.ts'
import { operationEndpoints } from './administration/operations.ts'
import { readingPurposeEndpoints } from './administration/reading-purposes.ts'
import { refusedRequestEndpoints } from './administration/refused-requests.ts'
import { userAdministrationEndpoints } from './administration/user-administration.ts'
import { flowOrderEndpoints } from './automation/flow-order.ts'
import { connectionEndpoints, quickSessionEndpoints, whatsappSessionEndpoints } from './connections.ts'
import { contactDetailEndpoints, contactFieldEndpoints } from './contact-details.ts'
import { contactEndpoints } from './contacts.ts'
import { dashboardEndpoints } from './dashboard.ts'
import type { NameOf } from './endpoint.ts'
import { flowLinkEndpoints } from './flow-links.ts'
import { flowRequestEndpoints, flowRunEndpoints } from './flow-runs.ts'
import { flowEndpoints, flowFolderEndpoints } from './flows.ts'
import { historyEndpoints } from './history.ts'
import { keyEndpoints } from './keys.ts'
import { labelEndpoints } from './labels.ts'
import { mediaEndpoints } from './media.ts'
import { messageEndpoints } from './messages.ts'
import { openingHoursEndpoints } from './opening-hours.ts'
import { momentEndpoints } from './past/moments.ts'
import { publicEndpoints } from './public/public-api.ts'
import { quickReplyEndpoints } from './quick-replies.ts'
import { streamEndpoints } from './streams.ts'
import { webhookEndpoints } from './webhooks.ts'
import { hoursWhatIfEndpoints } from './what-if/hours.ts'
import { planWhatIfEndpoints } from './what-if/plan.ts'

/** A test compares it with the routes. */
export const endpoints = [
  ...Object.values(publicEndpoints),
  ...Object.values(authEndpoints),
  ...Object.values(companyEndpoints),
  ...Object.values(contactEndpoints),
  ...Object.values(contactDetailEndpoints),
  ...Object.values(contactFieldEndpoints),
  ...Object.values(messageEndpoints),
  ...Object.values(momentEndpoints),
  ...Object.values(dashboardEndpoints),
  ...Object.values(mediaEndpoints),
  ...Object.values(quickReplyEndpoints),
  ...Object.values(openingHoursEndpoints),
  ...Object.values(hoursWhatIfEndpoints),
  ...Object.values(labelEndpoints),
  ...Object.values(flowFolderEndpoints),
  ...Object.values(flowEndpoints),
  ...Object.values(flowOrderEndpoints),
  ...Object.values(flowRunEndpoints),
  ...Object.values(flowRequestEndpoints),
  ...Object.values(flowLinkEndpoints),
  ...Object.values(connectionEndpoints),
  ...Object.values(quickSessionEndpoints),
  ...Object.values(whatsappSessionEndpoints),
  ...Object.values(kiwifyEndpoints),
  ...Object.values(planEndpoints),
  ...Object.values(planWhatIfEndpoints),
  ...Object.values(accessEndpoints),
  ...Object.values(transactionEndpoints),
  ...Object.values(buyerEndpoints),
  ...Object.values(usageEndpoints),
  ...Object.values(adminListEndpoints),
  ...Object.values(operationEndpoints),
  ...Object.values(readingPurposeEndpoints),
  ...Object.values(userAdministrationEndpoints),
  ...Object.values(webhookLogEndpoints),
  ...Object.values(historyEndpoints),
  ...Object.values(erasureEndpoints),
  ...Object.values(refusedRequestEndpoints),
  ...Object.values(tenantHistoryEndpoints),
  ...Object.values(exportEndpoints),
  ...Object.values(supportEndpoints),
  ...Object.values(profilePhotoEndpoints),
  ...Object.values(keyEndpoints),
  ...Object.values(streamEndpoints),
  ...Object.values(webhookEndpoints),
]

type EveryEndpoint = (typeof endpoints)[number]

/** Type only: browsers must not load the schemas. */
export type Endpoints = { [E in EveryEndpoint as NameOf<E>]: E }
