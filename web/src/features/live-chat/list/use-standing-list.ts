import type { Contact } from '@prosa/contracts/http/live-chat'
import { useCallback, useLayoutEffect, useMemo, useRef, useState } from 'react'
import { useWindowVisible } from '../use-window-visible.ts'

/** The list does not move while a pointer or the focus is on it. */
export type Hold = 'pointer' | 'focus'

/**
 * Keeps the rows of `before` in order with current data. New rows at the end are appended, `late` others wait. Under a pointer, which may
 * be about to press, removed rows stay.
 */
export const standStill = (before: readonly Contact[], now: readonly Contact[], hold: Hold) => {
  const current = new Map(now.map((contact, index) => [contact.id, { contact, index }]))
  const stood = new Set(before.map(({ id }) => id))
  const kept = before.flatMap((contact) => {
    const known = current.get(contact.id)
    return known ? [known.contact] : hold === 'pointer' ? [contact] : []
  })
  const lastIndex = Math.max(-1, ...before.map(({ id }) => current.get(id)?.index ?? -1))
  const behind = now.slice(lastIndex + 1).filter(({ id }) => !stood.has(id))
  const late = now.slice(0, lastIndex + 1).filter(({ id }) => !stood.has(id)).length
  return { contacts: [...kept, ...behind], late }
}

/** Moves once after the hold ends. `scope` names what is listed. */
export const useStandingList = (contacts: Contact[], scope: string) => {
  const isVisible = useWindowVisible()
  const [holds, setHolds] = useState<readonly Hold[]>([])
  const before = useRef<{ scope: string; contacts: readonly Contact[] }>({ scope: '', contacts: [] })
  const hold = isVisible ? holds[0] : undefined

  const standing = useMemo(
    () =>
      hold && before.current.scope === scope
        ? standStill(before.current.contacts, contacts, hold)
        : { contacts, late: 0 },
    [contacts, scope, hold],
  )
  useLayoutEffect(() => {
    before.current = { scope, contacts: standing.contacts }
  }, [scope, standing])

  const onHold = useCallback(
    (why: Hold, isHeld: boolean) =>
      setHolds((all) => {
        if (all.includes(why) === isHeld) return all
        // A pointer holds more than the focus.
        if (!isHeld) return all.filter((one) => one !== why)
        return why === 'pointer' ? [why, ...all] : [...all, why]
      }),
    [],
  )
  return { ...standing, onHold }
}
