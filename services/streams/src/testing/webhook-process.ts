import { systemClock } from '@prosa/kernel/clock'
import { eventCodec } from '@prosa/kernel/event-store/codec'
import { postgresEventStore } from '@prosa/kernel/event-store/postgres'
import { outbound } from '@prosa/kernel/http/outbound/outbound'
import { silentLog } from '@prosa/kernel/observability/log'
import { openPool } from '@prosa/kernel/postgres/pool'
import { masterKeys } from '@prosa/kernel/privacy/master-keys'
import { secretBox } from '@prosa/kernel/privacy/secret-box'
import { subjectKeys } from '@prosa/kernel/privacy/subject-keys'
import { bodyFromLog, sendCall } from '../webhooks/call-request.ts'
import { deliverWebhooks } from '../webhooks/deliver-webhooks.ts'
import { webhookHandler } from '../webhooks/webhook-handler.ts'
import { webhookSecrets } from '../webhooks/webhook-secrets.ts'

/** Sends until killed. Arguments: database, master secret in hexadecimal. */
const [databaseUrl = '', secret = ''] = process.argv.slice(2)
const master = Buffer.from(secret, 'hex')
const pool = openPool(databaseUrl, { onError: () => undefined })
const { signal } = new AbortController()
const keys = subjectKeys({ pool, databaseUrl, masters: masterKeys(master), signal })
const codec = eventCodec()
const store = await postgresEventStore({ url: databaseUrl })
const ports = { store, codec, clock: systemClock, subjectKeys: keys, box: secretBox(master) }
const send = sendCall({
  bodyOf: bodyFromLog(ports),
  send: outbound({ reach: 'loopback too' }),
  secrets: webhookSecrets(keys),
})
await deliverWebhooks(
  {
    ...{ ...ports, pool, databaseUrl, log: silentLog(), silenceMs: 1500, send, handle: webhookHandler(ports) },
    ...{ counts: { waiting: new Map(), delivered: 0, failed: 0, retried: 0 }, pollMs: 50 },
  },
  signal,
  new Map(),
)
