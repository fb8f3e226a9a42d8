import { readFile } from 'node:fs/promises'
import type { Subject } from '@prosa/contracts/events/subjects'
import { z } from 'zod'
import { appendLines, parseLines } from '../line-file.ts'
import type { SubjectKeys } from './subject-keys.ts'

/** Outlives the database: a restored backup brings keys back, and this says which to destroy again (docs/decisions/0068). */
export interface ErasureJournal {
  /** Resolves once on disk. Repeating it adds a line that changes nothing. */
  record(subjects: readonly Subject[]): Promise<void>
}

const line = z.object({
  at: z.iso.datetime(),
  subject: z.string().regex(/^(user|contact|delivery|order|refusals):\S+$/),
})

/** Addresses follow their contact or account; the restored log finds them. */
const isJournaled = (subject: Subject) => !subject.startsWith('address:')

/** Lines of JSON, no personal data. */
export const fileErasureJournal = (path: string): ErasureJournal => ({
  async record(subjects) {
    const at = new Date().toISOString()
    const lines = subjects.filter(isJournaled).map((subject) => ({ at, subject }))
    if (lines.length === 0) return
    await appendLines(path, lines)
  },
})

export interface Erasures {
  subjects: ReadonlySet<Subject>
  /** Lines that a power cut left in part: their erasure was recorded again, or never took place. */
  brokenLines: number
}

/** Throws if the file cannot be read. */
export const readErasures = async (path: string): Promise<Erasures> => {
  const { values, broken } = parseLines(await readFile(path, 'utf8'), line)
  return { subjects: new Set(values.map(({ subject }) => subject as Subject)), brokenLines: broken }
}

/** Nothing is destroyed before the journal has it. */
export const journaledKeys = (keys: SubjectKeys, journal: ErasureJournal): SubjectKeys => ({
  ...keys,
  async erase(subjects, prefixes) {
    await journal.record(subjects)
    return keys.erase(subjects, prefixes)
  },
})
