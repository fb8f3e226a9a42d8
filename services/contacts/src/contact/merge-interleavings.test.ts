import type { Stored } from '@prosa/kernel/event-store/codec'
import { eventCodec } from '@prosa/kernel/event-store/codec'
import { memoryEventStore } from '@prosa/kernel/event-store/memory'
import type { EventStore } from '@prosa/kernel/event-store/port'
import { shortOrLong } from '@prosa/kernel/testing/long-form'
import { type TestPorts, testPorts } from '@prosa/product/testing/test-ports'
import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { receiveOnMessageArrived } from '../chat/receive-on-message-arrived.ts'
import { type ContactHandlers, contactHandlers } from '../handlers.ts'
import { contactMigrations } from '../migrations/contact-migrations.ts'
import { testTenant } from '../testing/test-tenant.ts'
import { erasePerson } from './erase-person.ts'
import { forgetOnContactErased } from './forget-on-contact-erased.ts'
import { separateContacts } from './merge-process.ts'
import { chatIdsOf } from './person.ts'

let ports: TestPorts
beforeAll(async () => {
  ports = await testPorts({ migrations: [contactMigrations] })
})
afterAll(() => ports.close())

const [lid, phone, short] = ['1636@lid', '5511988776655@s.whatsapp.net', '551188776655@s.whatsapp.net']
const ways = {
  phone: { chatJid: phone },
  short: { chatJid: short },
  lid: { chatJid: lid },
  both: { chatJid: lid, alternateJid: short },
  bothTurned: { chatJid: phone, alternateJid: lid },
} as const
type Way = keyof typeof ways

class Died extends Error {
  override name = 'Died'
}

/** Each call awaits its slot; the process dies after `calls`. */
const reachedBy = (store: EventStore, turn: () => Promise<void>, calls: number): EventStore => {
  let left = calls
  const next = async () => {
    if (left-- <= 0) throw new Died('this process is no more')
    await turn()
  }
  return {
    ...store,
    async append(...all) {
      await next()
      return store.append(...all)
    },
    async *read(...all) {
      await next()
      yield* store.read(...all)
    },
  }
}

/** Nothing is encrypted here. */
const cacheGeneration = {}
const noKeys = {
  toEncrypt: async () => new Map(),
  current: async () => new Map(),
  toDecrypt: async () => new Map(),
  cached: () => new Map(),
  cacheGeneration: () => cacheGeneration,
  erase: async () => 0,
}

const someWays = fc.array(fc.constantFrom(...(Object.keys(ways) as Way[])), { minLength: 1, maxLength: 4 })
const forever = Number.MAX_SAFE_INTEGER
const calls = fc.option(fc.integer({ min: 1, max: 60 }), { nil: forever, freq: 2 })

describe('a person whose messages come by LID, by number, without the ninth digit and by both', () => {
  it('is one contact in the end, with each message once, in whatever order and processes, whoever dies on the way', {
    timeout: 600_000,
  }, async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.scheduler(),
        fc.tuple(someWays, someWays),
        fc.tuple(calls, calls),
        async (scheduler, steps, lives) => {
          const shared = { ...ports, store: memoryEventStore() }
          const tenant = testTenant(shared)
          const messages: [Stored[], Stored[]] = [[], []]
          for (const process of [0, 1] as const)
            for (const way of steps[process]) messages[process].push(await tenant.arrived(ways[way]))

          const working = ([0, 1] as const).map(async (process) => {
            const turn = () => scheduler.schedule(Promise.resolve(), `process ${process}`)
            const store = reachedBy(shared.store, turn, lives[process])
            const receive = receiveOnMessageArrived(contactHandlers({ ...shared, store }))
            const outcomes = await Promise.allSettled(messages[process].map((each) => tenant.react(receive, each)))
            return outcomes.flatMap((each) => (each.status === 'rejected' ? [each.reason] : []))
          })
          const failures = (await scheduler.waitFor(Promise.all(working))).flat()
          expect(failures.filter((each) => !(each instanceof Died))).toEqual([])

          if (failures.length > 0) {
            const receive = receiveOnMessageArrived(tenant.handlers)
            for (const each of messages.flat()) await tenant.react(receive, each)
            await tenant.settle()
          }

          const all = steps.flat()
          const links = all.some((way) => way.startsWith('both'))
          const [byNumber, byLid] = [all.some((way) => way !== 'lid'), all.includes('lid')]
          const visible = await tenant.visible()
          expect(visible).toHaveLength(links ? 1 : Number(byNumber) + Number(byLid))
          const chats = visible.flatMap(chatIdsOf).map((id) => `chat-${id}`)
          const kept = (await tenant.events('MessageReceived')).filter(({ stream }) => chats.includes(stream))
          expect(kept.map(({ data }) => data.messageId).sort()).toEqual(
            messages
              .flat()
              .map(({ data }) => 'messageId' in data && data.messageId)
              .sort(),
          )
          if (!links) return
          const [person] = visible
          expect(person?.state).toMatchObject({ status: 'waiting', lid: '1636' })
          for (const way of ['phone', 'lid'] as const) await tenant.receives(ways[way])
          expect(await tenant.visible()).toHaveLength(1)
        },
      ),
      { numRuns: shortOrLong(60, 1000) },
    )
  })

  it('can be written to and received from, whatever an attendant erases and separates meanwhile', {
    timeout: 600_000,
  }, async () => {
    const steps = fc.array(fc.constantFrom(...(Object.keys(ways) as Way[]), 'erase' as const, 'separate' as const), {
      minLength: 2,
      maxLength: 6,
    })
    await fc.assert(
      fc.asyncProperty(fc.scheduler(), fc.tuple(steps, steps), calls, async (scheduler, given, life) => {
        const shared = { ...ports, codec: eventCodec(), store: memoryEventStore(), subjectKeys: noKeys }
        const tenant = testTenant(shared)
        for (const way of ['phone', 'lid', 'both'] as const) await tenant.receives(ways[way])

        const work = async (handlers: ContactHandlers, step: (typeof given)[0][0]) => {
          if (step !== 'erase' && step !== 'separate') return void (await tenant.receives(ways[step], handlers))
          const [known] = await tenant.visible()
          if (!known) return
          if (step === 'erase') await erasePerson(handlers, known.id, tenant.context())
          const [restored] = known.state.absorbed
          if (step === 'separate' && restored) await separateContacts(handlers, known.id, restored, tenant.context())
        }
        const working = given.map(async (process, index) => {
          const turn = () => scheduler.schedule(Promise.resolve(), `process ${index}`)
          const handlers = contactHandlers({
            ...shared,
            store: reachedBy(shared.store, turn, index === 0 ? life : forever),
          })
          for (const step of process) await work(handlers, step)
        })
        const outcomes = await scheduler.waitFor(Promise.allSettled(working))
        const failures = outcomes.flatMap((each) => (each.status === 'rejected' ? [each.reason] : []))
        expect(failures.filter((each) => !(each instanceof Died))).toEqual([])

        for (const event of await tenant.events('MessageArrived'))
          await tenant.react(receiveOnMessageArrived(tenant.handlers), event)
        for (let time = 0; time < 2; time++) {
          await tenant.settle()
          for (const event of await tenant.events('ContactErased'))
            await tenant.react(forgetOnContactErased(tenant.handlers), event)
        }
        for (const way of ['phone', 'lid', 'both', 'phone', 'lid'] as const) await tenant.receives(ways[way])
        const visible = await tenant.visible()
        const addresses = visible.flatMap(({ state }) => [state.phone, state.lid]).filter((each) => each !== null)
        expect(addresses.filter((each) => each === '1636')).toHaveLength(1)
        expect(addresses.filter((each) => each !== '1636').length).toBe(1)
        expect(visible.length).toBeLessThan(3)
        const erased = (await tenant.events('ContactErased')).map(({ stream }) => stream.slice('contact-'.length))
        for (const { state } of visible)
          for (const id of [...state.absorbed, ...(state.into ? [state.into] : [])]) expect(erased).not.toContain(id)
      }),
      { numRuns: shortOrLong(40, 1000) },
    )
  })
})
