import { randomBytes, randomUUID } from 'node:crypto'
import type { SubjectKey, SubjectKeys } from '../privacy/subject-keys.ts'

/** The keys of one test, without a database; `forget` makes them unknown, as if the table was lost. */
export const memorySubjectKeys = (): SubjectKeys & { forget(): void } => {
  const bySubject = new Map<string, SubjectKey>()
  const byId = new Map<string, SubjectKey | 'erased'>()
  let era = {}

  const known = (ids: readonly string[]) =>
    new Map(
      ids.flatMap((id) => [[id, byId.get(id)] as const]).filter((entry): entry is [string, SubjectKey] => !!entry[1]),
    )

  return {
    async toLock(subjects) {
      for (const subject of subjects) {
        if (bySubject.has(subject)) continue
        const key = { id: randomUUID(), subject, key: randomBytes(32) }
        bySubject.set(subject, key)
        byId.set(key.id, key)
      }
      return new Map(bySubject)
    },
    current: async (subjects) =>
      new Map(
        subjects
          .flatMap((subject) => [[subject, bySubject.get(subject)] as const])
          .filter((entry): entry is [(typeof entry)[0], SubjectKey] => !!entry[1]),
      ),
    toUnlock: async (ids) => known(ids),
    atHand: (ids) => (ids.every((id) => byId.has(id)) ? known(ids) : undefined),
    era: () => era,
    async erase(subjects, prefixes = []) {
      let erased = 0
      for (const [subject, { id }] of bySubject) {
        if (!subjects.some((name) => name === subject) && !prefixes.some((prefix) => subject.startsWith(prefix)))
          continue
        bySubject.delete(subject)
        byId.set(id, 'erased')
        erased += 1
      }
      era = {}
      return erased
    },
    forget() {
      bySubject.clear()
      byId.clear()
      era = {}
    },
  }
}
