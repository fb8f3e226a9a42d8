import type { Usage } from '@prosa/contracts/http/usage'

export interface Entitlements {
  /** Includes payments that the read model shows, and messages sent. */
  of(owner: string): Promise<Usage>
}
