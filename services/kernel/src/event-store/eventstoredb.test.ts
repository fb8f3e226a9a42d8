import { describe } from 'vitest'
import { shortOrLong } from '../testing/long-form.ts'
import { eventStoreContract } from './event-store.contract.ts'
import { startDoubleProcess } from './eventstoredb/double/start-double-process.ts'
import { noRealServer, startRealServer } from './eventstoredb/real-server.ts'
import { eventStoreDbEventStore } from './eventstoredb.ts'

const openOn = (start: typeof startRealServer) => async () => {
  const { url, stop } = await start()
  const open = () => eventStoreDbEventStore({ url })
  const store = await open()
  const close = async () => {
    await store.close()
    await stop()
  }
  return { store, another: open, hasOthersEvents: true, close }
}

eventStoreContract('eventstoredb, on the double', openOn(startDoubleProcess), shortOrLong(1000, 50_000))

describe.skipIf(noRealServer)(`on a real server${noRealServer}`, () => {
  eventStoreContract('eventstoredb', openOn(startRealServer))
})
