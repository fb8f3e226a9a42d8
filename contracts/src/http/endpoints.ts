import { accessEndpoints } from './access.ts'
import { adminListEndpoints } from './admin-lists.ts'
import { authEndpoints } from './auth.ts'
import { buyerEndpoints } from './buyers.ts'
import { companyEndpoints } from './company.ts'
import { connectionEndpoints, quickSessionEndpoints, whatsappSessionEndpoints } from './connections.ts'
import { contactDetailEndpoints } from './contact-details.ts'
import { contactEndpoints } from './contacts.ts'
import { dashboardEndpoints } from './dashboard.ts'
import type { NameOf } from './endpoint.ts'
import { exportEndpoints } from './exports.ts'
import { flowLinkEndpoints } from './flow-links.ts'
import { flowRunEndpoints } from './flow-runs.ts'
import { flowEndpoints, flowFolderEndpoints } from './flows.ts'
import { historyEndpoints } from './history.ts'
import { kiwifyEndpoints } from './kiwify.ts'
import { labelEndpoints } from './labels.ts'
import { mediaEndpoints } from './media.ts'
import { messageEndpoints } from './messages.ts'
import { openingHoursEndpoints } from './opening-hours.ts'
import { operationEndpoints } from './operations.ts'
import { planEndpoints } from './plans.ts'
import { profilePhotoEndpoints } from './profile-photo.ts'
import { quickReplyEndpoints } from './quick-replies.ts'
import { readingPurposeEndpoints } from './reading-purposes.ts'
import { supportEndpoints } from './support.ts'
import { transactionEndpoints } from './transactions.ts'
import { usageEndpoints } from './usage.ts'
import { userAdministrationEndpoints } from './user-administration.ts'
import { webhookLogEndpoints } from './webhook-logs.ts'

/** A test compares it with the routes. */
export const endpoints = [
  ...Object.values(authEndpoints),
  ...Object.values(companyEndpoints),
  ...Object.values(contactEndpoints),
  ...Object.values(contactDetailEndpoints),
  ...Object.values(messageEndpoints),
  ...Object.values(dashboardEndpoints),
  ...Object.values(mediaEndpoints),
  ...Object.values(quickReplyEndpoints),
  ...Object.values(openingHoursEndpoints),
  ...Object.values(labelEndpoints),
  ...Object.values(flowFolderEndpoints),
  ...Object.values(flowEndpoints),
  ...Object.values(flowRunEndpoints),
  ...Object.values(flowLinkEndpoints),
  ...Object.values(connectionEndpoints),
  ...Object.values(quickSessionEndpoints),
  ...Object.values(whatsappSessionEndpoints),
  ...Object.values(kiwifyEndpoints),
  ...Object.values(planEndpoints),
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
  ...Object.values(exportEndpoints),
  ...Object.values(supportEndpoints),
  ...Object.values(profilePhotoEndpoints),
]

type EveryEndpoint = (typeof endpoints)[number]

/** Type only: browsers must not load the schemas. */
export type Endpoints = { [E in EveryEndpoint as NameOf<E>]: E }
