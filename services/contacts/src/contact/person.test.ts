import { randomUUID } from 'node:crypto'
import { eventCodec } from '@prosa/kernel/event-store/codec'
import { memoryEventStore } from '@prosa/kernel/event-store/memory'
import type { EventStore } from '@prosa/kernel/event-store/port'
import { type TestPorts, testPorts } from '@prosa/product/testing/test-ports'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { contactMigrations } from '../migrations/contact-migrations.ts'
import { testTenant } from '../testing/test-tenant.ts'
import { commandPerson } from './person.ts'

let ports: TestPorts
beforeAll(async () => {
  ports = await testPorts({ migrations: [contactMigrations] })
})
afterAll(() => ports.close())

/** What happens in another process right before each append of a new name. */
const shop = (meanwhile: (() => Promise<unknown>)[]) => {
  const memory = memoryEventStore()
  const store: EventStore = {
    ...memory,
    async append(stream, revision, events) {
      if (events.some(({ type }) => type === 'ContactRenamed')) await meanwhile.shift()?.()
      return memory.append(stream, revision, events)
    },
  }
  const company = testTenant({ ...ports, codec: eventCodec(), store })
  const added = async (id: string) => {
    const data = { phone: null, lid: `${id}@lid`, name: 'Ana', origin: 'message' } as const
    await company.record(`contact-${id}`, { type: 'ContactAdded', data })
  }
  const merges = (id: string, into: string) => async () => {
    await company.record(`contact-${into}`, { type: 'ContactMerged', data: { absorbed: id } })
    await company.record(`contact-${id}`, { type: 'ContactAbsorbed', data: { into } })
  }
  const rename = async (id: string) => {
    const command = { type: 'RenameContact', data: { name: 'Ana do bolo' } } as const
    return commandPerson(company.handlers, company.tenant, id, command, company.context())
  }
  const renamed = async () => (await company.events('ContactRenamed')).map(({ stream }) => stream)
  return { ...company, added, merges, rename, renamed }
}

describe('a command to a person', () => {
  it.each([1, 2, 3])('who is merged meanwhile, %d times in a row, reaches the survivor', async (merges) => {
    const meanwhile: (() => Promise<unknown>)[] = []
    const company = shop(meanwhile)
    const first = randomUUID()
    const survivors = Array.from({ length: merges }, () => randomUUID())
    await company.added(first)
    let former = first
    for (const next of survivors) {
      await company.added(next)
      meanwhile.push(company.merges(former, next))
      former = next
    }
    const { id, outcome } = await company.rename(first)
    expect([id, outcome.ok, await company.renamed()]).toEqual([former, true, [`contact-${former}`]])
  })

  it('who is erased meanwhile is refused', async () => {
    const meanwhile: (() => Promise<unknown>)[] = []
    const company = shop(meanwhile)
    const id = randomUUID()
    await company.added(id)
    meanwhile.push(() => company.record(`contact-${id}`, { type: 'ContactErased', data: {} }))
    const { outcome } = await company.rename(id)
    expect([outcome, await company.renamed()]).toEqual([{ ok: false, rejected: 'contact_not_found' }, []])
  })
})
