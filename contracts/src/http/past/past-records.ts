/** The whole of an account; their id is the account's. */
export const pastKindsOfAccount = ['quickReplies', 'labels', 'fields', 'company', 'openingHours', 'access'] as const

/** What a tenant may see as it was. */
export const pastKindsOfTenant = [
  'contact',
  'connection',
  'flow',
  'folder',
  'run',
  'label',
  'quickReply',
  ...pastKindsOfAccount,
] as const

/** Administrators see the platform's records too. */
export const pastRecordKinds = [...pastKindsOfTenant, 'order', 'plan', 'delivery'] as const

export type PastRecordKind = (typeof pastRecordKinds)[number]

/** A record that is shown as it was. */
export interface PastRecord {
  kind: PastRecordKind
  id: string
}
