import { createHmac } from 'node:crypto'
import { webhookSubject } from '@prosa/contracts/events/subjects'
import type { Instant } from '@prosa/contracts/values/instant'
import type { SubjectKey, SubjectKeys } from '@prosa/kernel/privacy/subject-keys'
import type { Webhook } from './webhook.ts'

const prefix = 'whsec_'

const secretOf = ({ key }: SubjectKey, webhookId: string, secretId: string): Buffer =>
  createHmac('sha256', key).update(`${webhookId}\n${secretId}`).digest()

/** Secrets are not stored: they derive from a key of the tenant, and are gone with it. */
export const webhookSecrets = (subjectKeys: Pick<SubjectKeys, 'toEncrypt' | 'current'>) => ({
  /** As Standard Webhooks writes it: `whsec_` and base64. */
  async shown(tenant: string, webhookId: string, secretId: string): Promise<string> {
    const subject = webhookSubject(tenant)
    const key = (await subjectKeys.toEncrypt([subject])).get(subject)
    if (!key) throw new Error('the key of webhooks is missing')
    return `${prefix}${secretOf(key, webhookId, secretId).toString('base64')}`
  },
  /** Those that sign now; none for an erased tenant. */
  async signing(
    tenant: string,
    webhookId: string,
    { secretId, former }: Pick<Webhook, 'secretId' | 'former'>,
    now: Instant,
  ): Promise<Buffer[]> {
    const subject = webhookSubject(tenant)
    const key = (await subjectKeys.current([subject])).get(subject)
    if (!key) return []
    const ids = former && now < former.until ? [secretId, former.secretId] : [secretId]
    return ids.map((id) => secretOf(key, webhookId, id))
  },
})
export type WebhookSecrets = ReturnType<typeof webhookSecrets>

/** Standard Webhooks 1.0: HMAC-SHA256 of id, time and body; one signature for each secret. */
export const signedHeaders = (
  { id, at, body }: { id: string; at: Instant; body: string },
  secrets: readonly Buffer[],
): Record<string, string> => {
  const timestamp = String(Math.floor(Date.parse(at) / 1000))
  const content = `${id}.${timestamp}.${body}`
  const signatures = secrets.map((secret) => `v1,${createHmac('sha256', secret).update(content).digest('base64')}`)
  return { 'webhook-id': id, 'webhook-timestamp': timestamp, 'webhook-signature': signatures.join(' ') }
}
