import { setTimeout as delay } from 'node:timers/promises'
import { isUnreachable } from '@prosa/kernel/postgres/is-unreachable'

const retryMs = 200

/**
 * Baileys takes a failed read for an answer (no key: unreadable; no text: no resend) and would acknowledge it to WhatsApp. `requireLife`
 * throws once waiting is pointless.
 */
export const retryWhileUnreachable = async <T>(work: () => Promise<T>, requireLife: () => void): Promise<T> => {
  for (;;) {
    requireLife()
    try {
      return await work()
    } catch (error) {
      if (!isUnreachable(error)) throw error
      await delay(retryMs)
    }
  }
}
