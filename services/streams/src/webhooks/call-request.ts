import type { Instant } from '@prosa/contracts/values/instant'
import { type WebhookFailure, webhookTestType } from '@prosa/contracts/values/webhook'
import { decodeEach } from '@prosa/kernel/consumers/engine/decode-each'
import type { RecordedEvent } from '@prosa/kernel/event-store/port'
import { OutboundFailed, type SendOutbound } from '@prosa/kernel/http/outbound/outbound'
import { positionTokens } from '@prosa/kernel/http/reading/position-tokens'
import type { Ports } from '@prosa/kernel/ports'
import { publishEvents, publishWithPersonal } from '@prosa/product/publishing/publish-events'
import type { QueuedCall } from './queries.ts'
import type { Webhook } from './webhook.ts'
import { signedHeaders, type WebhookSecrets } from './webhook-secrets.ts'

const timeoutMs = 10_000
const maxReplyBytes = 64 * 1024

type Deps = Pick<Ports, 'store' | 'codec' | 'subjectKeys' | 'box'>

/** The body, from the log as it is now: what was erased meanwhile is not in it. Undefined for what cannot be read. */
type BodyOf = (call: QueuedCall, webhook: Pick<Webhook, 'withPersonal'>) => Promise<string | undefined>

export const bodyFromLog = ({ store, codec, ...ports }: Deps): BodyOf => {
  const publishPseudonyms = publishEvents(ports)
  const positions = positionTokens(ports.box)

  const read = async ({ stream, revision, eventId }: QueuedCall): Promise<RecordedEvent | undefined> => {
    if (stream === null || revision === null) return undefined
    for await (const [event] of store.read(stream, { from: revision, max: 1 }))
      return event?.id === eventId ? event : undefined
    return undefined
  }

  return async (call, { withPersonal }) => {
    if (call.stream === null) return JSON.stringify(testEvent(call))
    const recorded = await read(call)
    const [decoded] = recorded ? await decodeEach(codec, [recorded]) : []
    if (!decoded || 'error' in decoded.outcome) return undefined
    const [event] = await (withPersonal ? publishWithPersonal : publishPseudonyms)([decoded.outcome.event])
    // As in GET /api/streams/events, which can be read on from there.
    return event && JSON.stringify({ ...event, position: positions.tokenOf(`streams ${call.tenant}`, call.position) })
  }
}

const testEvent = ({ eventId, recordedAt }: QueuedCall) => ({
  specversion: '1.0',
  id: eventId,
  source: '/prosa/streams',
  type: webhookTestType,
  time: recordedAt,
  datacontenttype: 'application/json',
  data: {},
})

export interface Answered {
  status: number | null
  failure: WebhookFailure | null
}

const failureOf = (status: number): WebhookFailure | null => {
  if (status >= 200 && status < 300) return null
  return status >= 300 && status < 400 ? 'redirect' : 'status'
}

/** One attempt. Throws what is no fault of the address. */
export const sendCall =
  ({ bodyOf, send, secrets }: { bodyOf: BodyOf; send: SendOutbound; secrets: WebhookSecrets }) =>
  async (call: QueuedCall, webhook: Webhook, now: Instant): Promise<Answered> => {
    const body = await bodyOf(call, webhook)
    const signing = await secrets.signing(call.tenant, call.webhookId, webhook, now)
    if (body === undefined || signing.length === 0) return { status: null, failure: 'unreadable' }
    try {
      const { status } = await send({
        method: 'POST',
        url: webhook.address,
        headers: {
          'content-type': 'application/cloudevents+json; charset=utf-8',
          'user-agent': 'Prosa-Webhooks/1.0',
          ...signedHeaders({ id: call.eventId, at: now, body }, signing),
        },
        ...{ body, timeoutMs, maxBytes: maxReplyBytes },
      })
      return { status, failure: failureOf(status) }
    } catch (error) {
      if (!(error instanceof OutboundFailed)) throw error
      return { status: null, failure: error.fault }
    }
  }
