import { setTimeout as delay } from 'node:timers/promises'
import type { TopicPayload } from '@prosa/contracts/topics'
import type { Ports } from '@prosa/kernel/ports'
import { hasOpenLine } from '../queries.ts'
import type { LookedUp, LookedUpNumbers } from './looked-up-numbers.ts'

/** Cached. `'nobody'`: unregistered. Undefined: no line or no answer in time. If all lines are rate-limited, the delay. */
export type NumberLookUp = (
  tenant: string,
  requestId: string,
  phone: string,
) => Promise<LookedUp | { retryAfterSeconds: number } | undefined>

/** A user waits in a dialog. */
const maxWaitMs = 4000
/** Lines of other processes may still answer. */
const otherProcessMs = 500

type Answer = TopicPayload<'number.answered'> | TopicPayload<'number.postponed'>

export const numberLookUp = (
  { pool, pubSub, log }: Pick<Ports, 'pool' | 'pubSub' | 'log'>,
  numbers: LookedUpNumbers,
): NumberLookUp => {
  const asked = new Map<string, (answer: Answer) => void>()
  pubSub.subscribe('number.answered', (answer) => asked.get(answer.requestId)?.(answer))
  pubSub.subscribe('number.postponed', (answer) => asked.get(answer.requestId)?.(answer))

  const ask = async (tenant: string, requestId: string, phone: string): Promise<Answer | undefined> => {
    const over = new AbortController()
    const after = (ms: number) =>
      // The answer aborts the delay.
      delay(ms, undefined, { signal: over.signal }).catch(() => undefined)
    try {
      const answered = new Promise<Answer>((resolve) =>
        asked.set(requestId, (answer) => {
          if ('exists' in answer) resolve(answer)
          else void after(otherProcessMs).then(() => resolve(answer))
        }),
      )
      await pubSub.publish('number.asked', { tenant, requestId, phone })
      return await Promise.race([answered, after(maxWaitMs)])
    } finally {
      over.abort()
      asked.delete(requestId)
    }
  }

  return async (tenant, requestId, phone) => {
    const known = await numbers.find(tenant, phone)
    if (known) return known
    if (!(await hasOpenLine(pool, tenant))) return undefined
    const answer = await ask(tenant, requestId, phone)
    if (!answer) log.warn({ requestId }, 'the look-up of a number was not answered')
    if (!answer) return undefined
    if (!('exists' in answer)) return { retryAfterSeconds: answer.retryAfterSeconds }
    const found = answer.exists ? { phone: answer.phone ?? phone, lid: answer.lid } : 'nobody'
    await numbers.store(tenant, phone, found)
    return found
  }
}
