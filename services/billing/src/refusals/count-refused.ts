import type { Refusal } from '@prosa/contracts/refusals'
import type { RefusalReason } from '@prosa/contracts/values/kiwify'
import { refusalOf } from '@prosa/kernel/http/problem-reply'
import type { Ports } from '@prosa/kernel/ports'
import type { onErrorAsyncHookHandler } from 'fastify'
import { endpointOf } from '../deliveries/kiwify-routes.ts'
import { isSignature, signatureIn } from '../kiwify/signature.ts'
import type { RefusedCounter } from './refused-counter.ts'
import type { RefusalReports } from './report-refused.ts'

/** Rate-limited requests count as wrong signatures. */
const reasons: { [R in Refusal]?: RefusalReason } = {
  webhook_signature_invalid: 'signature',
  too_many_attempts: 'signature',
  webhook_not_configured: 'no_token',
  body_too_large: 'too_large',
}

/** Before the reply; failed writes are retried later. Rate-limited requests cause no statement. */
export const countRefused = (
  { log }: Pick<Ports, 'log'>,
  counter: RefusedCounter,
  { report }: RefusalReports,
): onErrorAsyncHookHandler => {
  let hasFailed = false

  return async (request, _reply, error) => {
    const refusal = refusalOf(error)
    const [reason, endpoint] = [reasons[refusal], endpointOf(request)]
    if (reason === undefined || endpoint === undefined) return
    const isUnsigned = !isSignature(signatureIn(request.url))
    const address = request.server.addressOf(request.raw)
    const refused = { endpoint, reason: isUnsigned ? 'unsigned' : reason, address } as const
    if (refusal === 'too_many_attempts') return counter.note(refused)
    try {
      await counter.count(refused)
      if (!isUnsigned) await report(contextOf(request.id))
      hasFailed = false
    } catch (failure) {
      // One log line per outage.
      if (!hasFailed) log.warn({ err: failure }, 'refused deliveries could not be counted')
      hasFailed = true
    }
  }
}

const contextOf = (requestId: string) => ({
  commandId: requestId,
  actor: { kind: 'system', id: 'count-refused' } as const,
  tenant: null,
  causationId: requestId,
  correlationId: requestId,
})
