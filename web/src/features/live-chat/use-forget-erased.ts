import { useQueryClient } from '@tanstack/react-query'
import { useCallback, useEffect, useRef } from 'react'
import { keys } from './api.ts'
import { useUnsent } from './outbox/use-unsent.ts'

/** Cached data and unsent work, once its conversation is closed. */
export const useForgetErased = (contactId: string) => {
  const client = useQueryClient()
  const { forget } = useUnsent()
  const erased = useRef(false)
  useEffect(
    () => () => {
      if (!erased.current) return
      client.removeQueries({ queryKey: keys.history(contactId) })
      client.removeQueries({ queryKey: keys.contact(contactId) })
      client.removeQueries({ queryKey: keys.notes(contactId) })
      forget(contactId)
    },
    [client, contactId, forget],
  )
  return useCallback(() => {
    erased.current = true
  }, [])
}
