import { useResumeOutbox } from '../outbox/use-resume-outbox.ts'
import { useAlerts } from './use-alerts.ts'

/** Announces messages while it is mounted, and sends what waits; shows nothing. */
export const LiveChatAlerts = () => {
  useAlerts()
  useResumeOutbox()
  return null
}
