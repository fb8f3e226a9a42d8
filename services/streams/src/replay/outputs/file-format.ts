import type { ReadEvent } from '../read-events.ts'

/** Bytes of a file that only grows until its end. */
export interface FileWriter {
  /** Bytes to append; none while it collects. */
  add(events: readonly ReadEvent[]): Uint8Array | string
  /** True while it holds events of which no byte came out. */
  isCollecting(): boolean
  /** What it collected. */
  flush(): Uint8Array | string
  /** After `flush`: the end of a valid file. A file that goes on is cut before it. */
  end(): Uint8Array | string
  /** JSON, for a writer that goes on behind what came out. */
  state(): unknown
}

/** `state`: of the writer that wrote what is there; undefined at the beginning. */
export type FileFormat = (state: unknown) => FileWriter

export const ndjson: FileFormat = () => ({
  add: (events) => events.map(({ line }) => `${line}\n`).join(''),
  isCollecting: () => false,
  flush: () => '',
  end: () => '',
  state: () => null,
})
