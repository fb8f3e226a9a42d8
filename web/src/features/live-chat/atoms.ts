import type { ServiceStatus } from '@prosa/contracts/http/live-chat'
import { atom } from 'jotai'
import { atomWithStorage, createJSONStorage } from 'jotai/utils'
import { personalKey } from '../../lib/personal-storage.ts'
import type { Outgoing } from './outgoing.ts'

export const statusTabAtom = atom<ServiceStatus>('waiting')

/** What the list is filtered by, already at rest. */
export const searchAtom = atom('')

/** The row that the arrow keys stand on. */
export const cursorAtom = atom<string | null>(null)

/** Unsent text by contact id; kept in this browser. */
export const draftsAtom = atomWithStorage<Record<string, string>>(personalKey('drafts'), {}, undefined, {
  getOnInit: true,
})

/** What was written here and is not in the history yet; survives a reload of the tab. */
export const outgoingAtom = atomWithStorage<Outgoing[]>(
  personalKey('outgoing'),
  [],
  createJSONStorage(() => sessionStorage),
  { getOnInit: true },
)
