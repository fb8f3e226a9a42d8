import { eventStoreDbEventStore } from '@prosa/kernel/event-store/eventstoredb'
import { addressOfLog } from '@prosa/kernel/event-store/identity/recognize-log'
import type { EventStore } from '@prosa/kernel/event-store/port'
import { postgresEventStore } from '@prosa/kernel/event-store/postgres'
import { eventStoreMigrations } from '@prosa/kernel/event-store/postgres/migrations'
import { migrate } from '@prosa/kernel/postgres/migrations'

/** An EventStoreDB of the measurement's own, without other events; undefined: PostgreSQL. */
export const eventStoreUrl: string | undefined = process.env.EVENTSTORE_URL || undefined

/** For processes of the measurement. */
export const logEnvironment: Record<string, string> = eventStoreUrl ? { EVENTSTORE_URL: eventStoreUrl } : {}

export const openMeasuredLog = async (databaseUrl: string): Promise<EventStore> => {
  console.log(`Log: ${addressOfLog(eventStoreUrl)}`)
  if (eventStoreUrl) return eventStoreDbEventStore({ url: eventStoreUrl })
  await migrate(databaseUrl, [eventStoreMigrations])
  return postgresEventStore({ url: databaseUrl })
}
