import { useAlerts } from './use-alerts.ts'

/** Announces messages while it is mounted; shows nothing. */
export const LiveChatAlerts = () => {
  useAlerts()
  return null
}
