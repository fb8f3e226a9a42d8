import { readFile } from 'node:fs/promises'
import { z } from 'zod'
import type { Position } from '../../event-store/port.ts'
import { appendLines, parseLines } from '../../line-file.ts'
import type { Block } from './block.ts'

const line = z.object({
  logId: z.uuid(),
  number: z.int(),
  day: z.iso.date(),
  after: z.string().transform((text) => text as Position),
  upTo: z.string().transform((text) => text as Position),
  events: z.int(),
  sha256: z.string(),
  head: z.string(),
})

/** Resolves once on disk. Whoever changes log and database alike cannot change what lies elsewhere. */
export const appendHead = (path: string, block: Block): Promise<void> => appendLines(path, [block])

/** By number; the first of a number holds. Empty for a missing file. */
export const readHeads = async (path: string, logId: string): Promise<Map<number, Block>> => {
  const text = await readFile(path, 'utf8').catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return ''
    throw error
  })
  const own = parseLines(text, line).values.filter((head) => head.logId === logId)
  return new Map(own.toReversed().map((head) => [head.number, head]))
}
