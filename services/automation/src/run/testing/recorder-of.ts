import { randomUUID } from 'node:crypto'
import type { AnyEvent } from '@prosa/contracts/events/all-events'
import type { Ports } from '@prosa/product/ports'

/** Appends events of any service, as its user. */
export const recorderOf =
  (ports: Pick<Ports, 'store' | 'codec' | 'clock'>) =>
  async (tenant: string, stream: string, ...events: AnyEvent[]): Promise<void> => {
    let revision: bigint | 'no_stream' = 'no_stream'
    for await (const page of ports.store.read(stream)) revision = page.at(-1)?.revision ?? revision
    const actor = { kind: 'user', id: tenant } as const
    const metadata = { causationId: 'x', correlationId: randomUUID(), actor, tenant, recordedAt: ports.clock.now() }
    const encoded = await ports.codec.encode(events.map((event) => ({ id: randomUUID(), stream, event, metadata })))
    const appended = await ports.store.append(stream, revision, encoded)
    if (!appended.ok) throw new Error('conflict')
  }
