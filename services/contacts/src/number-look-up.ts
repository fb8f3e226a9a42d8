import { setTimeout as delay } from 'node:timers/promises'
import type { TopicPayload } from '@prosa/contracts/topics'
import type { Ports } from '@prosa/kernel/ports'
import { hasOpenLine } from './queries.ts'
import type { Addresses } from './whatsapp-address.ts'

/**
 * Asks WhatsApp over any open line of the subscriber who has this number. `'nobody'`: WhatsApp does not know it. Undefined:
 * there is no line to ask over, or no answer in time.
 */
export type NumberLookUp = (
  owner: string,
  requestId: string,
  phone: string,
) => Promise<(Addresses & { phone: string }) | 'nobody' | undefined>

/** Somebody is looking at a dialog meanwhile. */
const longestWaitMilliseconds = 4000

export const numberLookUp = ({ pool, pubSub, log }: Pick<Ports, 'pool' | 'pubSub' | 'log'>): NumberLookUp => {
  const asked = new Map<string, (answer: TopicPayload<'number.answered'>) => void>()
  pubSub.subscribe('number.answered', (answer) => asked.get(answer.requestId)?.(answer))

  return async (owner, requestId, phone) => {
    if (!(await hasOpenLine(pool, owner))) return undefined
    const over = new AbortController()
    try {
      const answered = new Promise<TopicPayload<'number.answered'>>((resolve) => asked.set(requestId, resolve))
      await pubSub.publish('number.asked', { owner, requestId, phone })
      const tooLate = delay(longestWaitMilliseconds, undefined, { signal: over.signal })
      // Its end by the answer is no failure.
      tooLate.catch(() => undefined)
      const answer = await Promise.race([answered, tooLate])
      if (!answer) log.warn({ requestId }, 'nobody answered who has a number')
      if (!answer) return undefined
      return answer.exists ? { phone: answer.phone ?? phone, lid: answer.lid } : 'nobody'
    } finally {
      over.abort()
      asked.delete(requestId)
    }
  }
}
