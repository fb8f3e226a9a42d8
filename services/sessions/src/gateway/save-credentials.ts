import { setTimeout as delay } from 'node:timers/promises'
import { keyedQueue } from '@prosa/kernel/async/keyed-queue'
import type { Logger } from '@prosa/kernel/observability/log'
import { CredentialsClosed, type OpenCredentials } from './credentials/credential-store.ts'

const retryMs = 500

export interface CredentialSaving {
  changed(): void
  /** Resolves once all changes so far are stored. */
  settled(): Promise<void>
}

/** In the order of changes, with retries until closed. */
export const saveCredentials = (credentials: OpenCredentials, log: Logger, connectionId: string): CredentialSaving => {
  const queue = keyedQueue()
  const save = async () => {
    for (;;) {
      try {
        return await credentials.save()
      } catch (error) {
        if (error instanceof CredentialsClosed) return
        log.warn({ connectionId, err: error }, 'credentials not stored, will retry')
        await delay(retryMs)
      }
    }
  }
  return {
    changed: () => void queue.run(connectionId, save),
    settled: queue.idle,
  }
}
