import { z } from 'zod'
import { id } from '../values/ids.ts'
import { instant } from '../values/instant.ts'
import { erasedText, personal } from '../values/personal.ts'
import { webhookDisabledCause } from '../values/webhook.ts'

const webhookId = id
const settings = {
  webhookId,
  name: personal(z.string(), erasedText),
  /** May hold a secret of the receiver. */
  address: personal(z.string(), erasedText),
  /** Published types, `prosa.contacts.message-received.v1`. */
  types: z.array(z.string()),
  /** Own personal data too, as the user asked. */
  withPersonal: z.boolean(),
}

/** Stream `webhook-<user id>`: all webhooks of a tenant. */
export const webhookEvents = {
  /** A user added an address that published events are sent to, from here on. */
  WebhookAdded: z.object({
    ...settings,
    /** The signing secret derives from it and a key of the tenant. */
    secretId: id,
  }),
  /** The user gave it another name, address, choice of types or of personal data. */
  WebhookRevised: z.object(settings),
  /** The user asked for another secret; the former one signs too until then. */
  WebhookSecretRotated: z.object({ webhookId, secretId: id, formerUntil: instant }),
  /** The user paused it: what happens waits. */
  WebhookPaused: z.object({ webhookId }),
  /** The user let a paused or disabled one go on. */
  WebhookResumed: z.object({ webhookId }),
  /** Prosa stopped sending: the address did not take what was sent. */
  WebhookDisabled: z.object({ webhookId, cause: webhookDisabledCause }),
  /** The user removed it, with its log. */
  WebhookRemoved: z.object({ webhookId }),
  /** The user asked for a test. */
  WebhookTestRequested: z.object({ webhookId }),
  /** The user asked to send a failed call again; null: all failed ones. */
  WebhookRepeatRequested: z.object({ webhookId, eventId: id.nullable() }),
}
