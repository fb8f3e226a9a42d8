import type { ConsumerStatus } from './consumer-status.ts'

/** Keys under retry, for the status. */
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
