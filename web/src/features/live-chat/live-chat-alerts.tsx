import { useAlerts } from './use-alerts.ts'
import { useResumeOutbox } from './use-outbox.ts'

/** Announces messages while it is mounted, and sends what waits; shows nothing. */
export const LiveChatAlerts = () => {
  useAlerts()
  useResumeOutbox()
  return null
}
