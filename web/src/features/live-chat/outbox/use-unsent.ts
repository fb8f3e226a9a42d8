import { useStore, type WritableAtom } from 'jotai'
import { useMemo } from 'react'
import {
  attachmentsAtom,
  detailsDraftsAtom,
  draftsAtom,
  outgoingAtom,
  quotingAtom,
  unsentRecordingsAtom,
} from '../atoms.ts'
import { useUploads } from './use-uploads.ts'

/** Stable between renders. */
export const useUnsent = () => {
  const store = useStore()
  const uploads = useUploads()
  return useMemo(() => {
    const take = <T>(atom: WritableAtom<Record<string, T>, [Record<string, T>], void>, contactId: string) => {
      const { [contactId]: taken, ...others } = store.get(atom)
      if (taken !== undefined) store.set(atom, others)
      return taken
    }

    /** After a merge; texts in both boxes are joined. */
    const move = (from: string, to: string) => {
      const draft = take(draftsAtom, from)
      const quoted = take(quotingAtom, from)
      const files = take(attachmentsAtom, from)
      const recording = take(unsentRecordingsAtom, from)
      if (draft) store.set(draftsAtom, (all) => ({ ...all, [to]: all[to] ? `${all[to]}\n\n${draft}` : draft }))
      if (quoted) store.set(quotingAtom, (all) => ({ ...all, [to]: quoted }))
      if (recording) store.set(unsentRecordingsAtom, (all) => ({ ...all, [to]: recording }))
      if (files) store.set(attachmentsAtom, (all) => ({ ...all, [to]: [...(all[to] ?? []), ...files] }))
      if (store.get(outgoingAtom).some(({ contactId }) => contactId === from))
        store.set(outgoingAtom, (all) => all.map((one) => (one.contactId === from ? { ...one, contactId: to } : one)))
    }

    const forget = (contactId: string) => {
      take(draftsAtom, contactId)
      take(detailsDraftsAtom, contactId)
      take(quotingAtom, contactId)
      take(unsentRecordingsAtom, contactId)
      for (const { address } of take(attachmentsAtom, contactId) ?? []) URL.revokeObjectURL(address)
      const gone = store.get(outgoingAtom).filter((one) => one.contactId === contactId)
      store.set(outgoingAtom, (all) => all.filter((one) => one.contactId !== contactId))
      uploads.release(gone.map(({ id }) => id))
    }

    return { move, forget }
  }, [store, uploads])
}
