import { useSyncExternalStore } from 'react'

/** Null: all tenants. */
type Tenant = string | null

interface Waiting {
  tenant: Tenant
  answer: Promise<boolean>
  settle: (isStated: boolean) => void
}

interface Asked {
  waiting: readonly Waiting[]
  /** Not asked again by itself. */
  declined: ReadonlySet<Tenant>
}

let asked: Asked = { waiting: [], declined: new Set() }
const listeners = new Set<() => void>()

const change = (next: Partial<Asked>) => {
  asked = { ...asked, ...next }
  for (const listener of listeners) listener()
}

/** Resolves to true once stated. Requests for one tenant share a question; a declined one is asked again only after a press. */
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

export const answerPurpose = (isStated: boolean): void => {
  const [first, ...others] = asked.waiting
  if (!first) return
  change({ waiting: others, declined: isStated ? asked.declined : new Set([...asked.declined, first.tenant]) })
  first.settle(isStated)
}

export const forgetDeclined = (): void => {
  if (asked.declined.size > 0) change({ declined: new Set() })
}

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

export const useAskedPurpose = (): { tenant: Tenant | undefined; hasDeclined: boolean } => {
  const { waiting, declined } = useSyncExternalStore(subscribe, current)
  return { tenant: waiting[0]?.tenant, hasDeclined: declined.size > 0 }
}
