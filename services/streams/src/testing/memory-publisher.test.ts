import { publisherContract } from '../publisher/publisher.contract.ts'
import { memoryPublisher } from './memory-publisher.ts'

publisherContract('memory', async () => {
  const publisher = memoryPublisher()
  return { publisher, read: async (topic) => publisher.read(topic), close: async () => undefined }
})
