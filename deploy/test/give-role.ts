import type { Role } from '@prosa/contracts/values/role'
import { deriveId } from '@prosa/kernel/derive-id'
import type { RecordedEvent } from '@prosa/kernel/event-store/port'
import { until } from '@prosa/kernel/testing/until'
import type { Product } from './product.ts'
import type { Visitor } from './visitor.ts'

/** Appends the event that PROSA_ADMIN_EMAILS and PROSA_ANALYST_EMAILS would; resolves once it applies. */
export const giveRole = async (
  { ports: { store, codec, roles } }: Product,
  visitor: Visitor,
  role: Role,
): Promise<void> => {
  const { id } = await visitor.get<{ id: string }>('/api/auth/user')
  let last: RecordedEvent | undefined
  for await (const page of store.read(`user-${id}`)) last = page.at(-1)
  if (!last) throw new Error('nobody registered')
  const event = { type: 'RoleGranted', data: { role } } as const
  const { stream, revision, metadata } = last
  const result = await store.append(
    stream,
    revision,
    await codec.encode([{ id: deriveId('test', id, role), stream, event, metadata }]),
  )
  if (!result.ok) throw new Error('somebody else wrote')
  await until(async () => (await roles.of(id)).includes(role))
}

export const makeAdmin = (product: Product, visitor: Visitor): Promise<void> => giveRole(product, visitor, 'admin')
