import type { Reader } from '@prosa/kernel/domain/decider'
import type { StoredOf } from '@prosa/kernel/event-store/codec'

/** Connections that sessions have removed are not used again. */
export const knownConnection: Reader<
  StoredOf<'ConnectionAdded' | 'ConnectionRemoved'>,
  'unknown' | 'active' | 'removed'
> = {
  initial: 'unknown',
  evolve: { ConnectionAdded: () => 'active', ConnectionRemoved: () => 'removed' },
}

/** WhatsApp is connected over it. */
export const isLineOpen: Reader<
  StoredOf<'LineOpened' | 'LineDropped' | 'NumberUnlinked' | 'ConnectionRemoved'>,
  boolean
> = {
  initial: false,
  evolve: {
    LineOpened: () => true,
    LineDropped: () => false,
    NumberUnlinked: () => false,
    ConnectionRemoved: () => false,
  },
}

export const isFileStored: Reader<StoredOf<'MediaStored' | 'MediaErased'>, boolean> = {
  initial: false,
  evolve: { MediaStored: () => true, MediaErased: () => false },
}

export const isAccountErased: Reader<StoredOf<'UserErased'>, boolean> = {
  initial: false,
  evolve: { UserErased: () => true },
}
