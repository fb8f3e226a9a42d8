import { memoryEventStore } from '@prosa/kernel/event-store/memory'
import { createApp } from '@prosa/kernel/http/app'
import type { BrowserSessions } from '@prosa/kernel/http/sign-in/browser-sessions'
import type { Ports } from '@prosa/kernel/ports'
import { everythingIn } from '@prosa/kernel/testing/everything-in'
import { testPorts } from '@prosa/product/testing/test-ports'
import { identity } from '../identity.ts'
import { plainOptions } from './test-identity.ts'

/** Stops before each access to shared state. */
interface Gate {
  isClosed: boolean
  takeStep: (() => void) | undefined
  onStopped: () => void
}

const stopAt = (gate: Gate): Promise<void> => {
  if (!gate.isClosed) return Promise.resolve()
  return new Promise((resolve) => {
    gate.takeStep = () => {
      gate.takeStep = undefined
      resolve()
    }
    gate.onStopped()
  })
}

const gated = (ports: Ports, gate: Gate): Ports => {
  const { store, secrets, browserSessions } = ports
  const stopping =
    <A extends unknown[], R>(work: (...args: A) => Promise<R>) =>
    async (...args: A): Promise<R> => {
      await stopAt(gate)
      return work(...args)
    }
  const sessions: BrowserSessions = {
    ...browserSessions,
    issueFor: stopping(browserSessions.issueFor),
    assign: stopping(browserSessions.assign),
    follow: stopping(browserSessions.follow),
    revoke: stopping(browserSessions.revoke),
  }
  return {
    ...ports,
    browserSessions: sessions,
    secrets: {
      ...secrets,
      put: stopping(secrets.put),
      get: stopping(secrets.get),
      delete: stopping(secrets.delete),
    },
    store: {
      ...store,
      append: stopping(store.append),
      async *read(stream, options) {
        await stopAt(gate)
        yield* store.read(stream, options)
      },
    },
  }
}

const openProcess = async (ports: Ports) => {
  const gate: Gate = { isClosed: false, takeStep: undefined, onStopped: () => undefined }
  const own = gated(ports, gate)
  const options = { ...plainOptions, publicUrl: 'https://atendimento.example.com' }
  const { routes, reactors = [] } = await identity(options).mount(own)
  const app = await createApp({ ...own, trustedOrigins: [], limitScale: 1_000_000 })
  if (routes) await app.register(routes)
  await app.ready()
  return { gate, app, reactors }
}

export type IdentityProcess = Awaited<ReturnType<typeof openProcess>>

/** Requests interleave by step; reactors run on request. */
export const interleavedIdentity = async (processes: number) => {
  const ports = await testPorts({ store: { ...memoryEventStore(), close: async () => undefined } })
  const all = await Promise.all(Array.from({ length: processes }, () => openProcess(ports)))
  /** This process never stops or dies. */
  const other = await openProcess(ports)

  const reactedTo = new Map<string, number>()

  /** `picks` order the steps, modulo stopped processes; `deaths` limits them. Also returns step counts. */
  const interleave = async <T>(
    requests: readonly (() => Promise<T>)[],
    picks: readonly number[],
    deaths: readonly (number | undefined)[],
    afterEach: (replies: readonly (T | undefined)[]) => Promise<void>,
  ): Promise<{ replies: (T | undefined)[]; steps: number[] }> => {
    const replies: (T | undefined)[] = requests.map(() => undefined)
    const steps = requests.map(() => 0)
    const open = new Set(requests.keys())
    const untilQuiet = (index: number, begin: () => void) =>
      new Promise<void>((resolve, reject) => {
        const { gate } = all[index] ?? other
        gate.onStopped = resolve
        answered[index] = () => resolve()
        failed[index] = reject
        begin()
      })
    const answered: (() => void)[] = []
    const failed: ((error: unknown) => void)[] = []
    for (const [index, request] of requests.entries()) {
      const process = all[index]
      if (!process) throw new Error('more requests than processes')
      process.gate.isClosed = true
      await untilQuiet(index, () => {
        request().then(
          (reply) => {
            replies[index] = reply
            open.delete(index)
            answered[index]?.()
          },
          (error) => failed[index]?.(error),
        )
      })
    }
    for (let round = 0; open.size > 0; round++) {
      const index = [...open][(picks[round % picks.length] ?? 0) % open.size] ?? 0
      const { gate } = all[index] ?? other
      const { takeStep } = gate
      if (!takeStep) throw new Error('a process neither stopped nor answered')
      if (steps[index] === deaths[index]) open.delete(index)
      else await untilQuiet(index, takeStep)
      steps[index] = (steps[index] ?? 0) + 1
      await afterEach(replies)
    }
    for (const { gate } of all) {
      gate.isClosed = false
      gate.takeStep = undefined
    }
    return { replies, steps }
  }

  return {
    ports,
    all,
    other,
    interleave,
    /** Handles each event once. */
    async react(userId: string) {
      const events = (await everythingIn(ports.store, 'user')).filter(({ stream }) => stream === `user-${userId}`)
      for (const event of events.slice(reactedTo.get(userId)))
        for (const { on } of other.reactors) {
          const react = on[event.type] as ((of: typeof event) => Promise<unknown>) | undefined
          await react?.(event)
        }
      reactedTo.set(userId, events.length)
    },
    async close() {
      for (const { app } of [...all, other]) await app.close()
      await ports.close()
    },
  }
}
