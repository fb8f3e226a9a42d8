import type { Plan } from '@prosa/contracts/http/accounts/plans'
import type { PlanChange } from '@prosa/contracts/http/what-if/plan'

/** As written; empty: as today. */
export interface ChangeDraft {
  accessDays: string
  price: string
  trialDays: string
  proMessages: string
  proConnections: string
  freeMessages: string
  freeConnections: string
}

export const draftOf = (plan: Plan | undefined): ChangeDraft => ({
  accessDays: plan ? String(plan.accessDays) : '',
  price: '',
  trialDays: '',
  proMessages: '',
  proConnections: '',
  freeMessages: '',
  freeConnections: '',
})

/** The server refuses it in a sentence at the field. */
const noNumber = -1

const numberOf = (text: string): number => {
  const number = Number(text)
  return text === '' || Number.isNaN(number) ? noNumber : number
}

/** '5.000' → 5000. */
const numberIn = (text: string): number | undefined =>
  text.trim() === '' ? undefined : numberOf(text.trim().replaceAll('.', ''))

/** 'ilimitado' → null. */
const limitIn = (text: string): number | null | undefined =>
  /^\s*ilimitad[oa]s?\s*$/i.test(text) ? null : numberIn(text)

/** 'R$ 1.127,90' → 112790. */
const centsIn = (text: string): number | undefined => {
  if (text.trim() === '') return undefined
  const plain = text.replace(/R\$/i, '').replaceAll('.', '').replace(',', '.').trim()
  const reais = numberOf(plain)
  return reais === noNumber ? noNumber : Math.round(reais * 100)
}

const present = <T extends object>(fields: T): { [K in keyof T]?: Exclude<T[K], undefined> } =>
  Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined)) as never

export const changeOf = (
  planId: string | null,
  draft: ChangeDraft,
): Pick<PlanChange, 'planId'> & Partial<Omit<PlanChange, 'planId'>> => {
  const limits = {
    pro: present({ messages: limitIn(draft.proMessages), connections: limitIn(draft.proConnections) }),
    free: present({ messages: limitIn(draft.freeMessages), connections: limitIn(draft.freeConnections) }),
  }
  const ofPlan = planId === null ? {} : { accessDays: numberIn(draft.accessDays), priceCents: centsIn(draft.price) }
  return { planId, ...present({ ...ofPlan, trialDays: numberIn(draft.trialDays) }), limits }
}

/** The field of a refusal, in the form. */
export const fieldNames: Record<string, keyof ChangeDraft> = {
  accessDays: 'accessDays',
  priceCents: 'price',
  trialDays: 'trialDays',
  'limits.pro.messages': 'proMessages',
  'limits.pro.connections': 'proConnections',
  'limits.free.messages': 'freeMessages',
  'limits.free.connections': 'freeConnections',
}
