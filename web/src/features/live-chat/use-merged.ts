import type { Contact } from '@prosa/contracts/http/live-chat'
import { useQueryClient } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { keys } from './api.ts'
import { useUnsent } from './outbox/use-unsent.ts'

/**
 * A contact may turn out to be somebody else who is known already: their conversation is in view instead, with all that is not
 * sent yet. Answers a key that stays the same meanwhile, so that whoever writes or records goes on.
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
