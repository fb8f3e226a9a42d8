import type { ReadingPurpose } from '@prosa/contracts/values/reading'
import { atom, useAtomValue } from 'jotai'
import { inPage, pageStore } from '../browser/page-store.ts'

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
  /** Stated last on this visit of the panel. */
  lastPurpose: ReadingPurpose | null
}

const askedAtom = atom<Asked>({ waiting: [], declined: new Set<Tenant>(), lastPurpose: null })

const current = () => pageStore.get(askedAtom)
const change = (next: Partial<Asked>) => pageStore.set(askedAtom, (asked) => ({ ...asked, ...next }))

/** Resolves to true once stated. Requests for one tenant share a question; a declined one is asked again only after a press. */
export const askPurpose = (tenant: Tenant, isPressed = false): Promise<boolean> => {
  const asked = current()
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

/** Undefined: declined. */
export const answerPurpose = (purpose: ReadingPurpose | undefined): void => {
  const isStated = purpose !== undefined
  const { declined, waiting, lastPurpose } = current()
  const [first, ...others] = waiting
  if (!first) return
  change({
    waiting: others,
    declined: isStated ? declined : new Set([...declined, first.tenant]),
    lastPurpose: purpose ?? lastPurpose,
  })
  first.settle(isStated)
}

export const forgetDeclined = (): void => {
  if (current().declined.size > 0) change({ declined: new Set() })
}

export const dropQuestions = (): void => {
  const { waiting } = current()
  change({ waiting: [], declined: new Set(), lastPurpose: null })
  for (const { settle } of waiting) settle(false)
}

interface AskedPurpose {
  tenant: Tenant | undefined
  hasDeclined: boolean
  lastPurpose: ReadingPurpose | null
}

export const useAskedPurpose = (): AskedPurpose => {
  const { waiting, declined, lastPurpose } = useAtomValue(askedAtom, inPage)
  return { tenant: waiting[0]?.tenant, hasDeclined: declined.size > 0, lastPurpose }
}
