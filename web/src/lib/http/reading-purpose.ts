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
}

const askedAtom = atom<Asked>({ waiting: [], declined: new Set<Tenant>() })

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

export const answerPurpose = (isStated: boolean): void => {
  const { declined, waiting } = current()
  const [first, ...others] = waiting
  if (!first) return
  change({ waiting: others, declined: isStated ? declined : new Set([...declined, first.tenant]) })
  first.settle(isStated)
}

export const forgetDeclined = (): void => {
  if (current().declined.size > 0) change({ declined: new Set() })
}

export const dropQuestions = (): void => {
  const { waiting } = current()
  change({ waiting: [], declined: new Set() })
  for (const { settle } of waiting) settle(false)
}

export const useAskedPurpose = (): { tenant: Tenant | undefined; hasDeclined: boolean } => {
  const { waiting, declined } = useAtomValue(askedAtom, inPage)
  return { tenant: waiting[0]?.tenant, hasDeclined: declined.size > 0 }
}
