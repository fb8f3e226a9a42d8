import { deriveId } from '@prosa/kernel/derive-id'
import type { RecordedEvent } from '@prosa/kernel/event-store/port'
import { until } from '@prosa/kernel/testing/until'
import type { Product } from './product.ts'
import type { Visitor } from './visitor.ts'

/** Appends the event that PROSA_ADMIN_EMAILS would; resolves once it applies. */
export const makeAdmin = async ({ ports: { store, codec } }: Product, visitor: Visitor): Promise<void> => {
  const { id } = await visitor.get<{ id: string }>('/api/auth/user')
  let last: RecordedEvent | undefined
  for await (const page of store.read(`user-${id}`)) last = page.at(-1)
  if (!last) throw new Error('nobody registered')
  const event = { type: 'RoleGranted', data: { role: 'admin' } } as const
  const { stream, revision, metadata } = last
  const result = await store.append(
    stream,
    revision,
    await codec.encode([{ id: deriveId('test', id), stream, event, metadata }]),
  )
  if (!result.ok) throw new Error('somebody else wrote')
  await until(async () => (await visitor.ask('GET', '/api/admin/parked-work')).status === 200)
}
