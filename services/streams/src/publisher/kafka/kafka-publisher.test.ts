import { silentLog } from '@prosa/kernel/observability/log'
import { describe } from 'vitest'
import { noBroker, startBroker } from '../../testing/kafka-broker.ts'
import { readTopic } from '../../testing/read-topic.ts'
import { publisherContract } from '../publisher.contract.ts'
import { kafkaPublisher } from './kafka-publisher.ts'

describe.skipIf(noBroker)(`on a real broker${noBroker}`, () => {
  publisherContract('kafkajs', async () => {
    const { brokers, remove } = await startBroker()
    return {
      publisher: kafkaPublisher({ brokers }, silentLog()),
      read: (topic) => readTopic(brokers, topic),
      close: remove,
    }
  })
})
