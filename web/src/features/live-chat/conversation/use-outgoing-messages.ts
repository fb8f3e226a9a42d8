import { useAtom } from 'jotai'
import { useEffect, useMemo } from 'react'
import { outgoingAtom } from '../atoms.ts'
import { outgoingAfter } from '../conversation-state.ts'
import type { History } from '../history-page.ts'
import type { Outgoing } from '../outbox/outgoing.ts'
import { useUploads } from '../outbox/use-uploads.ts'

interface OutgoingMessages {
  mine: Outgoing[]
  /** Ids that the server does not have. */
  onlyHere: ReadonlySet<string>
}

/** Removes messages and local files once the history shows them. */
export const useOutgoingMessages = (contactId: string, loaded: History): OutgoingMessages => {
  const [outgoing, setOutgoing] = useAtom(outgoingAtom)
  const uploads = useUploads()
  useEffect(() => {
    const shown = { type: 'historyShown' as const, history: loaded }
    const remaining = outgoingAfter(outgoing, shown)
    if (remaining === outgoing) return
    const remainingIds = new Set(remaining.map(({ id }) => id))
    setOutgoing((all) => outgoingAfter(all, shown))
    uploads.release(outgoing.map(({ id }) => id).filter((id) => !remainingIds.has(id)))
  }, [loaded, outgoing, setOutgoing, uploads])

  const mine = useMemo(() => outgoing.filter((one) => one.contactId === contactId), [outgoing, contactId])
  const onlyHere = useMemo(() => {
    const stored = new Set(loaded.messages.map(({ id }) => id))
    return new Set(mine.map(({ id }) => id).filter((id) => !stored.has(id)))
  }, [loaded.messages, mine])
  return { mine, onlyHere }
}
