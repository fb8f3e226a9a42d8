import { setTimeout as delay } from 'node:timers/promises'
import type { Logger } from '@prosa/kernel/observability/log'
import type { PubSub } from '@prosa/kernel/privacy/pub-sub'
import type { KnownNumber } from '../../gateway/gateway.ts'
import { LookUpsExhausted } from './paced-look-ups.ts'

interface AnswerNumberAskedDeps {
  pubSub: PubSub
  /** `findNumber` is undefined where WhatsApp cannot be asked now. */
  linesOf: (tenant: string) => { findNumber(phone: string): Promise<KnownNumber | undefined> | undefined }[]
  log: Logger
  ms: number
}

/** Without an open line or a timely answer nothing is published: the requester has its own timeout. Exhausted rate limits are an answer. */
export const answerNumberAsked = ({ pubSub, linesOf, log, ms }: AnswerNumberAskedDeps, signal: AbortSignal): void => {
  pubSub.subscribe(
    'number.asked',
    async ({ tenant, requestId, phone }) => {
      let postponed = Number.POSITIVE_INFINITY
      const over = delay(ms, 'too late' as const, { ref: false })
      for (const line of linesOf(tenant)) {
        const asked = line.findNumber(phone)?.then((number) => ({ number }))
        if (!asked) continue
        const found = await Promise.race([asked, over]).catch((error) => {
          if (error instanceof LookUpsExhausted) {
            postponed = Math.min(postponed, error.waitMs)
            return
          }
          log.warn({ requestId, err: error }, 'number not looked up over this line, trying the next one')
        })
        if (!found) continue
        if (found === 'too late') return log.warn({ requestId }, 'number look-up timed out')
        const { number } = found
        const known = { exists: number !== undefined, phone: number?.phone ?? null, lid: number?.lid ?? null }
        return pubSub.publish('number.answered', { requestId, ...known })
      }
      if (Number.isFinite(postponed))
        await pubSub.publish('number.postponed', { requestId, retryAfterSeconds: Math.ceil(postponed / 1000) })
    },
    signal,
  )
}
