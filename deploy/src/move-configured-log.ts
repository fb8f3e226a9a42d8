import { billingMigrations } from '@prosa/billing/migrations/billing-migrations'
import { contactMigrations } from '@prosa/contacts/migrations/contact-migrations'
import { systemClock } from '@prosa/kernel/clock'
import { eventStoreDbEventStore } from '@prosa/kernel/event-store/eventstoredb'
import { addressOfLog } from '@prosa/kernel/event-store/identity/recognize-log'
import { CannotMove } from '@prosa/kernel/event-store/move/cannot-move'
import { type Moved, moveLog, type OnProgress } from '@prosa/kernel/event-store/move/move-log'
import { postgresEventStore } from '@prosa/kernel/event-store/postgres'
import { eventStoreMigrations } from '@prosa/kernel/event-store/postgres/migrations'
import { kernelMigrations } from '@prosa/kernel/migrations/kernel-migrations'
import { migrate } from '@prosa/kernel/postgres/migrations'
import { streamMigrations } from '@prosa/projections/streams/days/migrations'
import { sessionMigrations } from '@prosa/sessions/migrations/session-migrations'
import { webhookMigrations } from '@prosa/streams/migrations/webhook-migrations'

const destinations = ['eventstoredb', 'postgres'] as const
export type Destination = (typeof destinations)[number]

export const destinationOf = (argument: string | undefined): Destination => {
  const destination = destinations.find((each) => each === argument)
  if (destination) return destination
  throw new CannotMove('Name where the log goes: npm run move-log -- eventstoredb, or npm run move-log -- postgres.')
}

/** All: a newer database may hold positions that this version does not know. */
export const migrationSets = [
  eventStoreMigrations,
  kernelMigrations,
  billingMigrations,
  contactMigrations,
  sessionMigrations,
  streamMigrations,
  webhookMigrations,
]

export const positionTables = migrationSets.flatMap((set) => set.positionTables ?? [])

/** Between PostgreSQL and the EventStoreDB at `eventStoreUrl`. Throws `CannotMove`, `StoreUnavailable`, those of `migrate`. */
export const moveConfiguredLog = async (
  destination: Destination,
  { databaseUrl, eventStoreUrl }: { databaseUrl: string; eventStoreUrl: string | undefined },
  onProgress: OnProgress,
): Promise<Moved> => {
  if (!eventStoreUrl) throw new CannotMove('Set EVENTSTORE_URL to the EventStoreDB that the log goes to or comes from.')
  await migrate(databaseUrl, migrationSets)
  const inPostgres = { store: await postgresEventStore({ url: databaseUrl }), address: addressOfLog(undefined) }
  try {
    const url = eventStoreUrl
    const inEventStoreDb = { store: await eventStoreDbEventStore({ url }), address: addressOfLog(url) }
    const [source, target] =
      destination === 'eventstoredb' ? [inPostgres, inEventStoreDb] : [inEventStoreDb, inPostgres]
    try {
      return await moveLog({ databaseUrl, source, target, positionTables, clock: systemClock, onProgress })
    } finally {
      await inEventStoreDb.store.close()
    }
  } finally {
    await inPostgres.store.close()
  }
}
