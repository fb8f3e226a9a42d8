import { useResumeOutbox } from '../outbox/use-resume-outbox.ts'
import { useAlerts } from './use-alerts.ts'

/** Announces messages and sends the outbox; renders nothing. */
export const LiveChatAlerts = () => {
  useAlerts()
  useResumeOutbox()
  return null
}
