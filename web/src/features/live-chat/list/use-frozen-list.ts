import type { Contact } from '@prosa/contracts/http/live-chat'
import { useCallback, useLayoutEffect, useMemo, useRef, useState } from 'react'
import { useWindowVisible } from '../use-window-visible.ts'

/** Why the list does not move while a pointer or the focus is on it. */
export type FreezeReason = 'pointer' | 'focus'

/**
 * Keeps the rows of `before` in order with current data. New rows at the end are appended, `late` others wait. Under a pointer, which may
 * be about to press, removed rows stay.
 */
export const frozen = (before: readonly Contact[], now: readonly Contact[], reason: FreezeReason) => {
  const current = new Map(now.map((contact, index) => [contact.id, { contact, index }]))
  const shownIds = new Set(before.map(({ id }) => id))
  const present = before.flatMap((contact) => {
    const known = current.get(contact.id)
    return known ? [known.contact] : reason === 'pointer' ? [contact] : []
  })
  const lastIndex = Math.max(-1, ...before.map(({ id }) => current.get(id)?.index ?? -1))
  const behind = now.slice(lastIndex + 1).filter(({ id }) => !shownIds.has(id))
  const late = now.slice(0, lastIndex + 1).filter(({ id }) => !shownIds.has(id)).length
  return { contacts: [...present, ...behind], late }
}

/** Moves once once nothing freezes it. `scope` names what is listed. */
export const useFrozenList = (contacts: Contact[], scope: string) => {
  const isVisible = useWindowVisible()
  const [reasons, setReasons] = useState<readonly FreezeReason[]>([])
  const before = useRef<{ scope: string; contacts: readonly Contact[] }>({ scope: '', contacts: [] })
  const reason = isVisible ? reasons[0] : undefined

  const list = useMemo(
    () =>
      reason && before.current.scope === scope
        ? frozen(before.current.contacts, contacts, reason)
        : { contacts, late: 0 },
    [contacts, scope, reason],
  )
  useLayoutEffect(() => {
    before.current = { scope, contacts: list.contacts }
  }, [scope, list])

  const onFreeze = useCallback(
    (why: FreezeReason, isFrozen: boolean) =>
      setReasons((all) => {
        if (all.includes(why) === isFrozen) return all
        // A pointer holds more than the focus.
        if (!isFrozen) return all.filter((one) => one !== why)
        return why === 'pointer' ? [why, ...all] : [...all, why]
      }),
    [],
  )
  return { ...list, onFreeze }
}
