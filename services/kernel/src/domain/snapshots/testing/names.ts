import { randomBytes, randomUUID } from 'node:crypto'
import type { EventOf } from '@prosa/contracts/events/all-events'
import type { contactEvents } from '@prosa/contracts/events/contacts'
import { contactSubject, type Subject } from '@prosa/contracts/events/subjects'
import type { SubjectKey, SubjectKeys } from '../../../privacy/subject-keys.ts'
import type { Decider } from '../../decider.ts'
import { type Entries, entryOf, noEntries, setEntry } from '../entries.ts'

export type Named = Extract<EventOf<typeof contactEvents>, { type: 'ContactNamed' }>
export type AddName = { type: 'AddName'; data: { name: string } }
export interface Names {
  entries: Entries
  last: string
}

export const names = (version = 1): Decider<AddName, Named, Names, 'unexpected'> => ({
  initial: { entries: noEntries, last: '' },
  saving: {
    decider: 'names',
    version,
    subject: ({ id }) => contactSubject(id),
    entries: {
      keysOf: ({ data }) => [(data as { name: string }).name],
      personal: () => 'stream',
      isKeyPersonal: () => true,
    },
  },
  decide: {
    AddName: ({ entries }, { name }) =>
      entryOf(entries, name) === undefined ? [{ type: 'ContactNamed', data: { name } }] : [],
  },
  evolve: {
    ContactNamed: ({ entries }, { name }) => ({ entries: setEntry(entries, name, name.length), last: name }),
  },
})

/** Each encrypted value asks its key once for the bytes. */
export const countingKeys = (subjectKeys: Pick<SubjectKeys, 'current' | 'toDecrypt'>) => {
  let encrypted = 0
  const counted = (key: SubjectKey): SubjectKey => ({
    ...key,
    get key() {
      encrypted += 1
      return key.key
    },
  })
  const keys: Pick<SubjectKeys, 'current' | 'toDecrypt'> = {
    current: async (subjects) =>
      new Map([...(await subjectKeys.current(subjects))].map(([subject, key]) => [subject, counted(key)])),
    toDecrypt: subjectKeys.toDecrypt,
  }
  return { keys, encrypted: () => encrypted }
}

export const memoryKeys = (): Pick<SubjectKeys, 'current' | 'toDecrypt'> & {
  add(subject: Subject): void
  erase(subject: Subject): void
} => {
  const keys: (SubjectKey & { isErased: boolean })[] = []
  return {
    add: (subject) => void keys.push({ id: randomUUID(), subject, key: randomBytes(32), isErased: false }),
    erase(subject) {
      for (const key of keys) if (key.subject === subject) key.isErased = true
    },
    current: async (subjects) =>
      new Map(
        keys
          .filter(({ subject, isErased }) => !isErased && subjects.some((each) => each === subject))
          .map((key) => [key.subject, key]),
      ),
    toDecrypt: async (ids) =>
      new Map(keys.filter(({ id }) => ids.includes(id)).map((key) => [key.id, key.isErased ? 'erased' : key])),
  }
}
