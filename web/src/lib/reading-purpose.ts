import { useSyncExternalStore } from 'react'

/** Whose data somebody who administers wants to see: an account's id, or null for all of them. */
type Tenant = string | null

interface Waiting {
  tenant: Tenant
  answer: Promise<boolean>
  settle: (isStated: boolean) => void
}

interface Asked {
  /** The first one is in the dialog. */
  waiting: readonly Waiting[]
  /** What was asked for and not answered: it is not asked again by itself. */
  declined: ReadonlySet<Tenant>
}

let asked: Asked = { waiting: [], declined: new Set() }
const listeners = new Set<() => void>()

const change = (next: Partial<Asked>) => {
  asked = { ...asked, ...next }
  for (const listener of listeners) listener()
}

/**
 * Resolves once the dialog is answered: whether the purpose was stated. Requests for the same tenant share one question. What was
 * declined is asked again only where somebody has just pressed for it.
 */
export const askPurpose = (tenant: Tenant, isPressed = false): Promise<boolean> => {
  if (asked.declined.has(tenant)) {
    if (!isPressed) return Promise.resolve(false)
    change({ declined: new Set([...asked.declined].filter((each) => each !== tenant)) })
  }
  const known = asked.waiting.find((each) => each.tenant === tenant)
  if (known) return known.answer
  let settle: Waiting['settle'] = () => undefined
  const answer = new Promise<boolean>((resolve) => {
    settle = resolve
  })
  change({ waiting: [...asked.waiting, { tenant, answer, settle }] })
  return answer
}

/** Ends the question that is in the dialog. */
export const answerPurpose = (isStated: boolean): void => {
  const [first, ...others] = asked.waiting
  if (!first) return
  change({ waiting: others, declined: isStated ? asked.declined : new Set([...asked.declined, first.tenant]) })
  first.settle(isStated)
}

/** What was declined may be asked again: the person wants to see it now, or is somewhere else. */
export const forgetDeclined = (): void => {
  if (asked.declined.size > 0) change({ declined: new Set() })
}

/** Nobody is there any more to be asked. */
export const dropQuestions = (): void => {
  const { waiting } = asked
  change({ waiting: [], declined: new Set() })
  for (const { settle } of waiting) settle(false)
}

const subscribe = (listener: () => void) => {
  listeners.add(listener)
  return () => void listeners.delete(listener)
}
const current = () => asked

/** The question for the dialog, and whether something was declined. */
export const useAskedPurpose = (): { tenant: Tenant | undefined; hasDeclined: boolean } => {
  const { waiting, declined } = useSyncExternalStore(subscribe, current)
  return { tenant: waiting[0]?.tenant, hasDeclined: declined.size > 0 }
}
