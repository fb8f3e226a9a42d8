import { setTimeout as delay } from 'node:timers/promises'
import { isUnreachable } from '@prosa/kernel/postgres/is-unreachable'

const retryMs = 200

/**
 * Repeats what Baileys asks of the database for as long as that is away, because Baileys takes a failure for an answer:
 * a key that cannot be had for a message that cannot be read, a text that cannot be had for one that need not be sent again. It
 * would then confirm to WhatsApp what nobody has done. `requireLife` throws once waiting makes no sense any more.
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
