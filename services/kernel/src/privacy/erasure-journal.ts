import { mkdir, open, readFile } from 'node:fs/promises'
import { dirname } from 'node:path'
import type { Subject } from '@prosa/contracts/events/subjects'
import { z } from 'zod'
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

/** Lines of JSON, no personal data. Processes may share the file: one write appends all lines of a call. */
export const fileErasureJournal = (path: string): ErasureJournal => ({
  async record(subjects) {
    const at = new Date().toISOString()
    const lines = subjects.filter(isJournaled).map((subject) => JSON.stringify({ at, subject }))
    if (lines.length === 0) return
    await mkdir(dirname(path), { recursive: true, mode: 0o700 })
    const file = await open(path, 'a', 0o600)
    try {
      // The line break before: a power cut may have left a part of a line.
      await file.write(`\n${lines.join('\n')}\n`)
      await file.datasync()
    } finally {
      await file.close()
    }
  },
})

export interface Erasures {
  subjects: ReadonlySet<Subject>
  /** Lines that a power cut left in part: their erasure was recorded again, or never took place. */
  brokenLines: number
}

/** Throws if the file cannot be read. */
export const readErasures = async (path: string): Promise<Erasures> => {
  const subjects = new Set<Subject>()
  let brokenLines = 0
  for (const text of (await readFile(path, 'utf8')).split('\n')) {
    if (text === '') continue
    const parsed = line.safeParse(jsonOf(text))
    if (parsed.success) subjects.add(parsed.data.subject as Subject)
    else brokenLines++
  }
  return { subjects, brokenLines }
}

const jsonOf = (text: string): unknown => {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

/** Nothing is destroyed before the journal has it. */
export const journaledKeys = (keys: SubjectKeys, journal: ErasureJournal): SubjectKeys => ({
  ...keys,
  async erase(subjects, prefixes) {
    await journal.record(subjects)
    return keys.erase(subjects, prefixes)
  },
})
