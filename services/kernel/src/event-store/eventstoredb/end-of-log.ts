import { BACKWARDS, END } from '@eventstore/db-client'
import { openClient } from './client.ts'

/** Commit position of the newest event that is not the server's own, which writes statistics all the time; null in an empty log. */
export const endOfEventStoreDb = async (url: string): Promise<string | null> => {
  const { esdb, credentials } = openClient(url, undefined, () => undefined)
  try {
    for await (const { event } of esdb.readAll({ direction: BACKWARDS, fromPosition: END, credentials }))
      if (event && !event.streamId.startsWith('$')) return String(event.position.commit)
    return null
  } finally {
    await esdb.dispose()
  }
}
