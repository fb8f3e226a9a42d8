import { EventStoreDbDouble } from './event-store-db-double.ts'

/** The double as a process of its own, so that a test measures the adapter alone. Ends with the process that started it. */
const double = await new EventStoreDbDouble().start()
process.on('disconnect', () => process.exit(0))
process.send?.(double.url)
