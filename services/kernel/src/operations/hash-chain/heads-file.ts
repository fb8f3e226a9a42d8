import { mkdir, open, readFile } from 'node:fs/promises'
import { dirname } from 'node:path'
import { z } from 'zod'
import type { Position } from '../../event-store/port.ts'
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
export const appendHead = async (path: string, block: Block): Promise<void> => {
  await mkdir(dirname(path), { recursive: true, mode: 0o700 })
  const file = await open(path, 'a', 0o600)
  try {
    // The line break before: a power cut may have left a part of a line.
    await file.write(`\n${JSON.stringify(block)}\n`)
    await file.datasync()
  } finally {
    await file.close()
  }
}

const jsonOf = (text: string): unknown => {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

/** By number; the first of a number holds. Empty for a missing file. */
export const readHeads = async (path: string, logId: string): Promise<Map<number, Block>> => {
  const text = await readFile(path, 'utf8').catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return ''
    throw error
  })
  const heads = text.split('\n').flatMap((each) => line.safeParse(jsonOf(each)).data ?? [])
  const own = heads.filter((head) => head.logId === logId)
  return new Map(own.toReversed().map((head) => [head.number, head]))
}
