/** `category-id`: a category is camelCase; only its service appends. No personal data. */
export const categories = {
  user: 'identity',
  emailClaim: 'identity',
  passwordReset: 'identity',
  company: 'identity',
  supportRequest: 'identity',
  subscription: 'billing',
  webhookDelivery: 'billing',
  refusedDeliveries: 'billing',
  order: 'billing',
  kiwifySubscription: 'billing',
  entitlement: 'billing',
  plan: 'billing',
  contact: 'contacts',
  contactKey: 'contacts',
  chat: 'contacts',
  quickReply: 'contacts',
  openingHours: 'contacts',
  label: 'contacts',
  contactField: 'contacts',
  flowFolder: 'automation',
  flow: 'automation',
  defaultFlow: 'automation',
  flowOrder: 'automation',
  flowSecret: 'automation',
  flowRun: 'automation',
  connection: 'sessions',
  line: 'sessions',
  media: 'sessions',
  parkedWork: 'operations',
  tenantReading: 'operations',
  dataExport: 'operations',
  readModelRebuild: 'operations',
  apiKey: 'operations',
  streamExport: 'operations',
  webhook: 'streams',
} as const

export type Category = keyof typeof categories
export type StreamService = (typeof categories)[Category]
/** The categories that only this service appends to. */
export type CategoryOf<S extends StreamService> = {
  [C in Category]: (typeof categories)[C] extends S ? C : never
}[Category]

/** Services, each of which may run in a process of its own. Every process answers for `operations`. */
export type ServiceName = (typeof categories)[Category] | 'projections' | 'realtime'

export const streamName = (category: Category, id: string): string => `${category}-${id}`

/** Only the id may hold hyphens. */
export const parseStream = (stream: string): { category: string; id: string } => {
  const hyphen = stream.indexOf('-')
  return { category: stream.slice(0, hyphen), id: stream.slice(hyphen + 1) }
}
