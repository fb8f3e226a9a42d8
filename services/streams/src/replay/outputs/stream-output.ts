import { once } from 'node:events'
import type { Writable } from 'node:stream'
import type { FileFormat } from './file-format.ts'
import { type Output, type Reached, reachedWith } from './output.ts'

/** Whoever reads the output went away. */
export class ReaderGone extends Error {
  override name = 'ReaderGone'
}

/** To standard output. It cannot be looked at again: where it stopped is only printed. */
export const streamOutput = (stream: Writable, format: FileFormat): Output => {
  const writer = format(undefined)
  let reached: Reached | undefined
  let failure: unknown
  stream.on('error', (error) => {
    failure = error
  })
  const write = async (part: Uint8Array | string) => {
    if (failure) throw new ReaderGone('nobody reads', { cause: failure })
    if (part.length === 0 || stream.write(part)) return
    // Rejects where the stream fails.
    await once(stream, 'drain').catch((cause) => {
      throw new ReaderGone('nobody reads', { cause })
    })
  }
  return {
    begun: undefined,
    async write(events) {
      await write(writer.add(events))
      reached = reachedWith(reached, events)
    },
    async close() {
      if (failure) return reached
      await write(writer.flush())
      await write(writer.end())
      await new Promise<void>((resolve) => stream.write('', () => resolve()))
      return reached
    },
  }
}
