import type { ConsumerStatus } from './consumer-status.ts'

/** Keys that are being tried again, with the reason, as the status shows them. */
export interface FailingKeys {
  failed(id: string, reason: string): void
  recovered(id: string): void
  clear(): void
}

export const failingKeys = (status: ConsumerStatus): FailingKeys => {
  const reasons = new Map<string, string>()
  const show = () => {
    const reason = [...reasons.values()].at(-1)
    if (reason === undefined) delete status.failing
    else status.failing = { keys: reasons.size, reason }
  }
  return {
    failed(id, reason) {
      if (reasons.get(id) === reason) return
      reasons.set(id, reason)
      show()
    },
    recovered(id) {
      if (reasons.delete(id)) show()
    },
    clear() {
      reasons.clear()
      show()
    },
  }
}
