import type { Usage } from '@prosa/contracts/http/accounts/usage'

export interface Entitlements {
  /** Includes payments that the read model shows, and messages sent. */
  of(tenant: string): Promise<Usage>
}
