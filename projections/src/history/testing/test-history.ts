import type { AnyEvent } from '@prosa/contracts/events/all-events'
import type { Actor } from '@prosa/contracts/events/metadata'
import type { HistoryThread } from '@prosa/contracts/http/history'
import type { Page } from '@prosa/contracts/http/page'
import { at, idOf } from '@prosa/kernel/consumers/testing/test-log'
import type { Position } from '@prosa/kernel/event-store/port'
import { testProjections } from '../../testing/test-projections.ts'

export interface About {
  id?: string
  actor?: Actor
  seconds: number
  /** Name of the event that caused it. */
  cause?: string
  tenant?: string | null
  reason?: string
}

/** Read models beside a log that a test writes event by event; each event is its own cause unless it names one. */
export const testHistory = async () => {
  const prosa = await testProjections({ now: () => at(9_000_000) })
  const lengths = new Map<string, number>()
  let end: Position | undefined

  const append = async (stream: string, event: AnyEvent, about: About): Promise<void> => {
    const { store, codec } = prosa.ports
    const length = lengths.get(stream) ?? 0
    lengths.set(stream, length + 1)
    const name = about.id ?? `${stream} ${length}`
    const metadata = {
      actor: about.actor ?? ({ kind: 'system', id: 'test' } as const),
      tenant: about.tenant ?? null,
      causationId: idOf(about.cause ?? name),
      correlationId: idOf(`correlation ${name}`),
      recordedAt: at(about.seconds),
      ...(about.reason !== undefined && { reason: about.reason }),
    }
    const encoded = await codec.encode([{ id: idOf(name), stream, event, metadata }])
    const appended = await store.append(stream, length === 0 ? 'no_stream' : BigInt(length - 1), encoded)
    if (!appended.ok) throw new Error(`${stream} is not where the test left it`)
    end = appended.position
  }

  const read = async <Body = Page<HistoryThread>>(
    path: string,
    user: string,
  ): Promise<{ status: number; body: Body }> => {
    if (end)
      await prosa.ports.readModels.reached(
        [
          ...['history-places', 'history-links', 'account', 'contact-list', 'contact-versions', 'chat-messages'],
          ...['conversation-lines', 'connections', 'flows', 'labels'],
        ],
        end,
        20_000,
      )
    return prosa.get(path, user)
  }

  return {
    prosa,
    end: () => end,
    append,
    read,
    register: (id: string, firstName: string) =>
      append(
        `user-${id}`,
        {
          type: 'UserRegistered',
          data: {
            firstName,
            lastName: 'Souza',
            email: `${firstName.toLowerCase()}@example.com`,
            credentialId: idOf('p'),
          },
        },
        { seconds: 0, tenant: id, actor: { kind: 'user', id } },
      ),
  }
}

export type TestHistory = Awaited<ReturnType<typeof testHistory>>

export const textsOf = ({ body }: { body: Page<HistoryThread> }): string[] =>
  body.items.flatMap(({ entries }) => entries.map(({ text }) => text))
