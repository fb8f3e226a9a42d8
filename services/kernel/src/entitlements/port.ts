import type { Usage } from '@prosa/contracts/http/usage'

/** What the accounts may do. Services ask this before they let somebody send, connect or upload, and know nothing of payments. */
export interface Entitlements {
  /** As it is now: what was paid counts as soon as the read model shows it, and so does a message that was sent. */
  of(owner: string): Promise<Usage>
}
