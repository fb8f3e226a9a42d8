import { randomUUID } from 'node:crypto'
import type { Position } from '@prosa/kernel/event-store/port'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { ReadRecord } from '../testing/read-topic.ts'
import { logHeader, type Publisher, PublishingFailed, positionHeader, type TopicRecord } from './port.ts'

export interface PublisherUnderTest {
  publisher: Publisher
  /** Partition by partition. */
  read(topic: string): Promise<readonly ReadRecord[]>
  close(): Promise<void>
}

const positionOf = (number: number) => String(number).padStart(19, '0') as Position

export const recordOf = (key: string, number: number, value = JSON.stringify({ number })): TopicRecord => ({
  ...{ key, value, position: positionOf(number), timestamp: Date.UTC(2026, 10, 27) + number },
  headers: { ce_id: `id ${number}`, [positionHeader]: positionOf(number), [logHeader]: 'log' },
})

const numbersOf = (records: readonly ReadRecord[], key: string) =>
  records.filter((record) => record.key === key).map(({ value }) => JSON.parse(value).number)

/** Every adapter passes all of it. */
export const publisherContract = (name: string, start: () => Promise<PublisherUnderTest>) => {
  const never = new AbortController().signal
  const topicOf = () => `prosa.test.${randomUUID()}`

  describe(`publisher: ${name}`, () => {
    let tested: PublisherUnderTest
    beforeAll(async () => {
      tested = await start()
    })
    afterAll(() => tested.close())

    it('creates a topic that is missing, and says that nothing was ever written', async () => {
      const topic = topicOf()
      for (const _ of [1, 2]) {
        const writer = await tested.publisher.open(topic)
        const { isNew, furthest, records } = writer
        expect([isNew, furthest, records, writer.lastPosition('ana')]).toEqual([true, undefined, 0n, undefined])
        await writer.close()
      }
      expect(await tested.read(topic)).toEqual([])
    })

    it('keeps the order of each key, with headers and values as they were given', async () => {
      const topic = topicOf()
      const writer = await tested.publisher.open(topic)
      await writer.write([recordOf('ana', 1), recordOf('bia', 2), recordOf('ana', 3)], never)
      await writer.write([recordOf('ana', 4), recordOf('caio', 5, '{"number":5,"text":"São João 🎉"}')], never)
      await writer.close()
      const records = await tested.read(topic)
      expect(['ana', 'bia', 'caio'].map((key) => numbersOf(records, key))).toEqual([[1, 3, 4], [2], [5]])
      const caio = records.find(({ key }) => key === 'caio')
      expect(caio?.value).toBe('{"number":5,"text":"São João 🎉"}')
      expect(caio?.headers).toEqual(recordOf('caio', 5).headers)
      expect(new Set(records.filter(({ key }) => key === 'ana').map(({ partition }) => partition)).size).toBe(1)
    })

    it('knows the last record where those of a key go, after every opening', async () => {
      const topic = topicOf()
      const keys = Array.from({ length: 20 }, (_, index) => `key ${index}`)
      let number = 0
      for (const _ of [1, 2, 3]) {
        const before = await tested.publisher.open(topic)
        await before.write(
          keys.map((key) => recordOf(key, ++number)),
          never,
        )
        await before.close()
        const writer = await tested.publisher.open(topic)
        expect(writer.isNew).toBe(false)
        const last = recordOf('any', number)
        expect(writer.furthest).toEqual({ position: last.position, logId: 'log', headers: last.headers })
        expect(writer.records).toBe(BigInt(number))
        const records = await tested.read(topic)
        for (const key of keys) {
          const partition = records.find((record) => record.key === key)?.partition
          const last = records.findLast((record) => record.partition === partition)
          expect(writer.lastPosition(key)).toBe(last?.headers[positionHeader])
        }
        await writer.close()
      }
    })

    it('takes an event of the largest size, and many at once', async () => {
      const topic = topicOf()
      const writer = await tested.publisher.open(topic)
      await writer.write([recordOf('ana', 1, JSON.stringify({ number: 1, text: 'x'.repeat(1024 * 1024) }))], never)
      await writer.write(
        Array.from({ length: 1000 }, (_, index) => recordOf('ana', index + 2)),
        never,
      )
      await writer.close()
      expect(numbersOf(await tested.read(topic), 'ana')).toEqual(Array.from({ length: 1001 }, (_, index) => index + 1))
    })

    it('writes nothing after it was closed, and refuses a topic that cannot be', async () => {
      const topic = topicOf()
      const writer = await tested.publisher.open(topic)
      await writer.close()
      await expect(writer.write([recordOf('ana', 1)], never)).rejects.toThrow(PublishingFailed)
      expect(await tested.read(topic)).toEqual([])
      await expect(tested.publisher.open('no topic/is called so')).rejects.toThrow(PublishingFailed)
    })
  })
}
