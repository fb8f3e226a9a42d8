import { describe, expect, it, onTestFinished } from 'vitest'
import { beginning, type EventStore } from '../port.ts'
import { accepted, event, newCategory, newStream, readStream, until } from './samples.ts'
import type { UnderTest } from './under-test.ts'

export const unchangedContract = (under: UnderTest): void => {
  describe('isUnchanged', () => {
    const followed = async (store: EventStore) => {
      const stop = new AbortController()
      let isLive = false
      const ended = (async () => {
        for await (const { live } of store.subscribe(beginning, { categories: [newCategory()] }, stop.signal))
          isLive = live
      })()
      onTestFinished(async () => {
        stop.abort()
        await ended
      })
      await until(() => isLive)
    }

    it('becomes true of a stream that nothing was appended to, and false with the next append of the same instance', async () => {
      await followed(under.store)
      const stream = newStream()
      const first = await under.stored([stream, event()])
      await until(() => under.store.isUnchanged(stream, first))
      const { position } = accepted(await under.store.append(stream, 0n, [event()]))
      expect(under.store.isUnchanged(stream, first)).toBe(false)
      await until(() => under.store.isUnchanged(stream, position))
      expect(under.store.isUnchanged(stream, first)).toBe(false)
    })

    it('stays true while other streams grow', async () => {
      await followed(under.store)
      const stream = newStream()
      const position = await under.stored([stream, event()])
      const later = await under.stored([newStream(), event()], [newStream(), event(), event()])
      await until(() => under.store.isUnchanged(stream, position) && under.store.isUnchanged(stream, later))
    })

    it('learns of appends of another instance', async () => {
      const another = (await under.another()) ?? under.store
      await followed(under.store)
      const stream = newStream()
      const position = await under.stored([stream, event()])
      await until(() => under.store.isUnchanged(stream, position))
      accepted(await another.append(stream, 0n, [event()]))
      await until(() => !under.store.isUnchanged(stream, position))
    })

    it('is false of a position before the newest event, also of a log that is not followed', async () => {
      const stream = newStream()
      await under.stored([stream, event(), event()])
      const [first] = await readStream(under.store, stream)
      const another = (await under.another()) ?? under.store
      expect(another.isUnchanged(stream, first?.position ?? beginning)).toBe(false)
      await followed(another)
      expect(another.isUnchanged(stream, first?.position ?? beginning)).toBe(false)
    })

    it('is true again of a stream whose events are long past, where the log is known since', async () => {
      await followed(under.store)
      const stream = newStream()
      await under.stored([stream, event()])
      let later = beginning
      for (let round = 0; round < 6; round++)
        later = await under.stored([newStream(), ...Array.from({ length: 1500 }, () => event())])
      await until(() => under.store.isUnchanged(stream, later))
    })
  })
}
