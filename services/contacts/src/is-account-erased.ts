import type { Reader } from '@prosa/kernel/domain/decider'
import type { StoredOf } from '@prosa/kernel/event-store/codec'

export const isAccountErased: Reader<StoredOf<'UserErased'>, boolean> = {
  initial: false,
  evolve: { UserErased: () => true },
}
