import type { Codec, Stored } from '../../event-store/codec.ts'
import type { RecordedEvent } from '../../event-store/port.ts'
import { isTransient } from './failure.ts'

export interface Decoded {
  recorded: RecordedEvent
  outcome: { event: Stored } | { error: unknown }
}

/** Decodes event by event where one is faulty. Throws only transient errors. */
export const decodeEach = async (codec: Codec, page: readonly RecordedEvent[]): Promise<Decoded[]> => {
  try {
    const events = await codec.decode(page)
    return page.map((recorded, index) => {
      const event = events[index]
      return { recorded, outcome: event ? { event } : { error: new Error('the codec left an event out') } }
    })
  } catch (error) {
    if (isTransient(error)) throw error
    if (page.length === 1 && page[0]) return [{ recorded: page[0], outcome: { error } }]
  }
  const each: Decoded[] = []
  for (const recorded of page) each.push(...(await decodeEach(codec, [recorded])))
  return each
}
