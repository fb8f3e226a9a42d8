import { afterAll, beforeAll, describe, onTestFinished } from 'vitest'
import { shortOrLong } from '../testing/long-form.ts'
import { appendContract } from './contract/append.ts'
import { decodeContract } from './contract/decode.ts'
import { readContract } from './contract/read.ts'
import { readWholeContract } from './contract/read-whole.ts'
import { accepted } from './contract/samples.ts'
import { subscribeContract } from './contract/subscribe.ts'
import { unchangedContract } from './contract/unchanged.ts'
import type { OpenedEventStore, UnderTest } from './contract/under-test.ts'
import { wholeContract } from './contract/whole.ts'
import { beginning, type EventStore } from './port.ts'

/** `open` returns a log without events of ours; `appends` (8 writers) is a multiple of 1000. */
export const eventStoreContract = (
  name: string,
  open: () => Promise<OpenedEventStore>,
  appends = shortOrLong(5000, 50_000),
): void => {
  describe(`event store: ${name}`, () => {
    let opened: OpenedEventStore
    let store: EventStore
    beforeAll(async () => {
      opened = await open()
      store = opened.store
    })
    afterAll(() => opened?.close())

    const under: UnderTest = {
      get store() {
        return store
      },
      appends,
      open,
      another: async () => {
        const another = await opened.another?.()
        if (another) onTestFinished(() => another.close())
        return another
      },
      stored: async (...appends) => {
        let position = beginning
        for (const [stream, ...events] of appends)
          position = accepted(await store.append(stream, 'no_stream', events)).position
        return position
      },
    }

    appendContract(under)
    readContract(under)
    readWholeContract(under)
    subscribeContract(under)
    unchangedContract(under)
    decodeContract(under)
    wholeContract(under)
  })
}
