import type {
  apiKeyEvents,
  dataExportEvents,
  operationsEvents,
  readModelRebuildEvents,
  streamExportEvents,
  tenantReadingEvents,
} from '../events/operations.ts'
import type { webhookEvents } from '../events/webhooks.ts'
import { leftOut, type Publications } from './publication.ts'

const operating = 'is about operating the software, and shown to whoever operates it'
const keys = 'is about the keys that open the streams'
const reading = 'is the record of who read personal data and why, shown in the history of whose data it is'

export const publishedOperations: Publications<
  typeof operationsEvents &
    typeof tenantReadingEvents &
    typeof dataExportEvents &
    typeof readModelRebuildEvents &
    typeof apiKeyEvents &
    typeof streamExportEvents
> = {
  WorkParked: leftOut(operating),
  WorkRetried: leftOut(operating),
  WorkReleased: leftOut(operating),
  WorkResumed: leftOut(operating),
  ReadingPurposeStated: leftOut(reading),
  PersonalDataRead: leftOut(reading),
  TenantsRead: leftOut(reading),
  AccountExported: leftOut(reading),
  ContactExported: leftOut(reading),
  ReadModelRebuildRequested: leftOut(operating),
  ReadModelRebuilt: leftOut(operating),
  ApiKeyCreated: leftOut(keys),
  ApiKeyRevoked: leftOut(keys),
  StreamExported: leftOut(reading),
  ApiKeyUsed: leftOut(reading),
}

const sending = 'is about where events are sent: published, it would be sent there and cause more of itself'

export const publishedWebhooks: Publications<typeof webhookEvents> = {
  WebhookAdded: leftOut(sending),
  WebhookRevised: leftOut(sending),
  WebhookSecretRotated: leftOut(sending),
  WebhookPaused: leftOut(sending),
  WebhookResumed: leftOut(sending),
  WebhookDisabled: leftOut(sending),
  WebhookRemoved: leftOut(sending),
  WebhookTestRequested: leftOut(sending),
  WebhookRepeatRequested: leftOut(sending),
}
