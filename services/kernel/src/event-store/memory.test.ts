import { eventStoreContract } from './event-store.contract.ts'
import { memoryEventStore } from './memory.ts'

eventStoreContract('memory', async () => {
  const store = memoryEventStore()
  return { store, close: () => store.close() }
})
