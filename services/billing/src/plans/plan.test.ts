import { specify } from '@prosa/kernel/domain/specify'
import { describe, expect, it } from 'vitest'
import { type PlanEvent, plan, planStreamId } from './plan.ts'

const given = specify(plan)
const offer = {
  planId: 'profissional',
  planName: 'Profissional',
  productId: '6f1d2c30-0000-11f1-9238-450795acb5a2',
  productName: 'Prosa Profissional',
  accessDays: 30,
  price: 'R$ 97,00',
  description: 'Para equipes pequenas',
  purchaseUrl: 'https://pay.kiwify.com.br/AbCdEfG',
}
const created: PlanEvent = { type: 'PlanCreated', data: offer }
const dearer = { ...offer, price: 'R$ 127,00' }
const revised: PlanEvent = { type: 'PlanRevised', data: { ...dearer, before: offer } }
const deletion = { type: 'DeletePlan', data: {} } as const
const deleted: PlanEvent = {
  type: 'PlanDeleted',
  data: { planId: 'profissional', planName: 'Profissional' },
}

describe('a plan', () => {
  it('is created once: its id is taken from then on, whatever its case', () => {
    given().when({ type: 'CreatePlan', data: offer }).then(created)
    given(created).when({ type: 'CreatePlan', data: offer }).thenRejected('plan_id_taken')
    expect(planStreamId('Profissional ')).toBe(planStreamId('profissional'))
    expect(planStreamId('profissional 2')).not.toBe(planStreamId('profissional'))
  })
  it('is revised where something changed', () => {
    given(created).when({ type: 'RevisePlan', data: dearer }).then(revised)
    given(created).when({ type: 'RevisePlan', data: offer }).thenNothing()
    given(created, revised).when({ type: 'RevisePlan', data: dearer }).thenNothing()
  })
  it('keeps its id, but for its case', () => {
    given(created)
      .when({ type: 'RevisePlan', data: { ...offer, planId: 'outro' } })
      .thenRejected('plan_id_fixed')
    const capital = { ...offer, planId: 'Profissional' }
    given(created)
      .when({ type: 'RevisePlan', data: capital })
      .then({ type: 'PlanRevised', data: { ...capital, before: offer } })
  })
  it('is deleted once, and its id may be offered again', () => {
    given(created).when(deletion).then(deleted)
    given(created, deleted).when(deletion).thenNothing()
    given(created, deleted).when({ type: 'CreatePlan', data: offer }).then(created)
    given(created, deleted, created).when(deletion).then(deleted)
  })
  it('that is not there can be neither revised nor deleted', () => {
    given().when({ type: 'RevisePlan', data: offer }).thenRejected('plan_not_found')
    given().when(deletion).thenRejected('plan_not_found')
    given(created, deleted).when({ type: 'RevisePlan', data: offer }).thenRejected('plan_not_found')
  })
})
