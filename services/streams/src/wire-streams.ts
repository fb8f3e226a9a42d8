import { publishedStreams } from '@prosa/contracts/published/catalogue'
import type { Service } from '@prosa/product/ports'
import type { Config } from '@prosa/product/process/config'
import { publishEvents } from '@prosa/product/publishing/publish-events'
import { kafkaPublisher } from './publisher/kafka/kafka-publisher.ts'
import { kafkaSettings } from './publisher/kafka/kafka-settings.ts'
import { streams } from './streams.ts'

export const wireStreams = ({ kafka }: Config): Service => {
  if (!kafka) return streams(undefined)
  const settings = kafkaSettings(kafka)
  return streams({
    publisher: ({ log }) => kafkaPublisher(settings, log),
    publish: publishEvents,
    prefix: kafka.topicPrefix,
    categories: publishedStreams,
  })
}
