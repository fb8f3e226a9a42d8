import { createHash } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { flow } from '@prosa/automation/flow'
import { flowRuns } from '@prosa/automation/run/flow-runs'
import { chat } from '@prosa/contacts/chat'
import { connectionLine } from '@prosa/contacts/connection-line'
import { contact } from '@prosa/contacts/contact'
import { type AnyEvent, allEvents, type EventType } from '@prosa/contracts/events/all-events'
import { schemaVersions } from '@prosa/contracts/events/versions'
import { user } from '@prosa/identity/user'
import type { Saving } from '@prosa/kernel/domain/decider'
import { hasEntries } from '@prosa/kernel/domain/snapshots/entries'
import { connection } from '@prosa/sessions/domain/connection'
import { line } from '@prosa/sessions/domain/line'
import { expect, it } from 'vitest'
import known from './fold-versions.json' with { type: 'json' }

interface Folding {
  initial: unknown
  evolve: Record<string, (state: never, data: never, event: never) => unknown>
  saving?: Saving
}

const deciders: readonly Folding[] = [chat, connectionLine, contact, flow, flowRuns, user, connection, line]

const goldenFolder = join(import.meta.dirname, '../../contracts/src/events/golden')
const golden = async (type: string): Promise<AnyEvent> => {
  const text = await readFile(join(goldenFolder, `${type}.v${schemaVersions[type] ?? 1}.json`), 'utf8')
  const data = allEvents[type as EventType].parse(JSON.parse(text).data)
  return { type, data: 'messageId' in data ? { ...data, messageId: 'M1' } : data } as AnyEvent
}

const plain = (state: unknown): unknown => {
  if (!hasEntries(state)) return state
  const { entries, ...rest } = state
  const all = [...entries.changed].sort(([one], [other]) => (one < other ? -1 : 1))
  return { ...rest, count: entries.count, entries: all }
}

/** States after every sequence of two events and the first one again. */
const fingerprintOf = async ({ initial, evolve }: Folding): Promise<string> => {
  const events = await Promise.all(Object.keys(evolve).sort().map(golden))
  const hash = createHash('sha256')
  const step = (state: unknown, { type, data }: AnyEvent) =>
    evolve[type]?.(state as never, data as never, { type, data } as never)
  for (const one of events)
    for (const other of events)
      hash
        .update(JSON.stringify(plain([one, other, one].reduce<unknown>(step, events.reduce(step, initial)))))
        .update(JSON.stringify(plain([one, other, one].reduce<unknown>(step, initial))))
  return hash.digest('hex').slice(0, 16)
}

it.each(deciders.map((decider) => ({ decider, name: decider.saving?.decider ?? '' })))(
  'what a saved $name looks like has not changed under its version: else raise `saving.version` and note it in fold-versions.json',
  async ({ decider, name }) => {
    const found = { version: decider.saving?.version, fingerprint: await fingerprintOf(decider) }
    expect({ [name]: found }).toEqual({ [name]: (known as Record<string, unknown>)[name] })
  },
)
