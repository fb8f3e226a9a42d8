import { randomBytes, randomUUID } from 'node:crypto'
import type { Subject } from '@prosa/contracts/events/subjects'
import type { SubjectKey, SubjectKeys } from '../privacy/subject-keys.ts'

/** `lose` makes all keys unknown. */
export const memorySubjectKeys = (): SubjectKeys & { lose(): void } => {
  const bySubject = new Map<string, SubjectKey>()
  const byId = new Map<string, SubjectKey | 'erased'>()
  let cacheGeneration = {}

  const find = <Name, Key>(known: ReadonlyMap<Name, Key>, names: readonly Name[]): Map<Name, Key> => {
    const found = new Map<Name, Key>()
    for (const name of names) {
      const key = known.get(name)
      if (key) found.set(name, key)
    }
    return found
  }
  const current = (subjects: readonly Subject[]) => find<string, SubjectKey>(bySubject, subjects)

  return {
    async toEncrypt(subjects) {
      for (const subject of subjects) {
        if (bySubject.has(subject)) continue
        const key = { id: randomUUID(), subject, key: randomBytes(32) }
        bySubject.set(subject, key)
        byId.set(key.id, key)
      }
      return current(subjects)
    },
    current: async (subjects) => current(subjects),
    toDecrypt: async (ids) => find(byId, ids),
    cached: (ids) => (ids.every((id) => byId.has(id)) ? find(byId, ids) : undefined),
    cacheGeneration: () => cacheGeneration,
    async erase(subjects, prefixes = []) {
      const erased = [...bySubject.values()].filter(
        ({ subject }) => subjects.some((name) => name === subject) || prefixes.some((name) => subject.startsWith(name)),
      )
      for (const { id, subject } of erased) {
        bySubject.delete(subject)
        byId.set(id, 'erased')
      }
      cacheGeneration = {}
      return erased.length
    },
    lose() {
      bySubject.clear()
      byId.clear()
      cacheGeneration = {}
    },
  }
}
