import { EventStoreDbDouble } from './event-store-db-double.ts'

/** Own process, so that tests measure the adapter alone. */
const double = await new EventStoreDbDouble().start()
process.on('disconnect', () => process.exit(0))
process.send?.(double.url)
