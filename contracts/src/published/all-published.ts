import type { EventType } from '../events/all-events.ts'
import {
  publishedDefaultFlows,
  publishedFlowFolders,
  publishedFlowOrder,
  publishedFlowSecrets,
  publishedFlows,
  publishedRuns,
} from './automation.ts'
import {
  publishedDeliveries,
  publishedEntitlements,
  publishedKiwifySubscriptions,
  publishedOrders,
  publishedPlans,
  publishedRefusals,
  publishedSubscriptions,
} from './billing.ts'
import { publishedChat } from './chat.ts'
import {
  publishedContactFields,
  publishedContactKeys,
  publishedContacts,
  publishedLabels,
  publishedOpeningHours,
  publishedQuickReplies,
} from './contacts.ts'
import {
  publishedCompanies,
  publishedEmailClaims,
  publishedPasswordResets,
  publishedSupportRequests,
  publishedUsers,
} from './identity.ts'
import { publishedOperations, publishedWebhooks } from './operations.ts'
import type { LeftOut, Publication } from './publication.ts'
import { publishedConnections, publishedLines, publishedMedia } from './sessions.ts'

/** What is published of each stored event, or why it is not. A missing type does not compile. */
export const publications: { [T in EventType]: Publication | LeftOut } = {
  ...publishedEmailClaims,
  ...publishedPasswordResets,
  ...publishedUsers,
  ...publishedCompanies,
  ...publishedSupportRequests,
  ...publishedDeliveries,
  ...publishedRefusals,
  ...publishedOrders,
  ...publishedKiwifySubscriptions,
  ...publishedEntitlements,
  ...publishedPlans,
  ...publishedSubscriptions,
  ...publishedContacts,
  ...publishedContactKeys,
  ...publishedChat,
  ...publishedQuickReplies,
  ...publishedOpeningHours,
  ...publishedLabels,
  ...publishedContactFields,
  ...publishedFlowFolders,
  ...publishedFlows,
  ...publishedDefaultFlows,
  ...publishedFlowOrder,
  ...publishedFlowSecrets,
  ...publishedRuns,
  ...publishedConnections,
  ...publishedLines,
  ...publishedMedia,
  ...publishedOperations,
  ...publishedWebhooks,
}
