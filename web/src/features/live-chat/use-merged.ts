import type { Contact } from '@prosa/contracts/http/live-chat'
import { useQueryClient } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { keys } from './api.ts'
import { useUnsent } from './outbox/use-unsent.ts'

/**
 * After a merge the other contact's conversation opens with all unsent work. The returned key stays the same: writing and recording
 * continue.
 */
export const useMerged = (
  selectedId: string | null,
  contact: Contact | null | undefined,
  follow: (contactId: string) => void,
): string | null => {
  const client = useQueryClient()
  const { move } = useUnsent()
  const [followed, setFollowed] = useState({ to: '', key: '' })
  const key = followed.to === selectedId ? followed.key : selectedId

  useEffect(() => {
    if (!contact) return
    const { id, merged } = contact
    for (const other of merged) move(other.id, id)
    if (key === null || id === selectedId) return
    client.setQueryData(keys.contact(id), contact)
    setFollowed({ to: id, key })
    follow(id)
  }, [client, contact, follow, key, move, selectedId])
  return key
}
