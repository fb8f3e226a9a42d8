import { labelColours } from '@prosa/contracts/values/label-colour'
import { maximumLabels } from '@prosa/contracts/values/lengths'
import { decide, fold } from '@prosa/kernel/domain/decider'
import { specify } from '@prosa/kernel/domain/specify'
import { sizeOf } from '@prosa/kernel/size-of'
import { describe, expect, it } from 'vitest'
import { type LabelEvent, labels } from './labels.ts'

const given = specify(labels)
const [one, two] = ['c2b4a1de-91c4-4f0e-8a53-6f0a2f1b7d33', '7c0c5a0e-5f5e-4a53-9a37-3f4f1c1f0a11']
const [colour] = labelColours
const create = (labelId = one, name = 'Orçamento') =>
  ({ type: 'CreateLabel', data: { labelId, name, colour } }) as const
const created = (labelId = one, name = 'Orçamento'): LabelEvent => ({
  type: 'LabelCreated',
  data: create(labelId, name).data,
})
const change = (wish: { name?: string; colour?: 'pink' | typeof colour }, labelId = one) =>
  ({ type: 'ChangeLabel', data: { labelId, ...wish } }) as const
const renamed = (name: string, labelId = one): LabelEvent => ({ type: 'LabelRenamed', data: { labelId, name } })
const remove = { type: 'DeleteLabel', data: { labelId: one } } as const
const deleted: LabelEvent = { type: 'LabelDeleted', data: { labelId: one } }

describe('labels', () => {
  it('are created once, however often it is asked', () => {
    given().when(create()).then(created())
    given(created()).when(create()).thenNothing()
    given(created(), deleted).when(create()).thenNothing()
  })
  it('have a name each, whatever its case and accents', () => {
    given(created()).when(create(two)).thenRejected('label_name_taken')
    given(created()).when(create(two, 'ORCAMENTO')).thenRejected('label_name_taken')
    given(created(), created(two, 'Fiel'))
      .when(change({ name: 'orcamento' }, two))
      .thenRejected('label_name_taken')
    given(created()).when(create(two, 'Orçamentos')).then(created(two, 'Orçamentos'))
  })
  it('free their name when they get another, or go', () => {
    given(created(), renamed('Proposta')).when(create(two)).then(created(two))
    given(created(), deleted).when(create(two)).then(created(two))
  })
  it('get another name, another colour, or both', () => {
    const recoloured: LabelEvent = { type: 'LabelRecoloured', data: { labelId: one, colour: 'pink' } }
    given(created())
      .when(change({ name: 'ORÇAMENTO' }))
      .then(renamed('ORÇAMENTO'))
    given(created())
      .when(change({ colour: 'pink' }))
      .then(recoloured)
    given(created())
      .when(change({ name: 'Proposta', colour: 'pink' }))
      .then(renamed('Proposta'), recoloured)
    given(created(), recoloured)
      .when(change({ name: 'Orçamento', colour: 'pink' }))
      .thenNothing()
  })
  it('are a hundred at most, of those that stand', () => {
    const all = Array.from({ length: maximumLabels }, (_, index) => created(`${index}`, `Etiqueta ${index}`))
    given(...all)
      .when(create())
      .thenRejected('too_many_labels')
    given(...all, { type: 'LabelDeleted', data: { labelId: '7' } })
      .when(create())
      .then(created())
  })
  it('are deleted once', () => {
    given(created()).when(remove).then(deleted)
    given(created(), deleted).when(remove).thenNothing()
  })
  it('leave no more behind than the last that were deleted, however often one comes and goes', () => {
    let state = labels.initial
    const happens = (event: LabelEvent) => {
      state = fold(labels, state, [event])
    }
    for (let each = 0; each < 5000; each++) {
      happens(created(`${each}`))
      happens({ type: 'LabelDeleted', data: { labelId: `${each}` } })
    }
    expect(sizeOf(state)).toBeLessThan(200_000)
    expect(decide(labels, state, create('4999'))).toEqual([])
  })
  it('must be there', () => {
    given().when(remove).thenRejected('label_not_found')
    given().when(change({})).thenRejected('label_not_found')
    given(created(), deleted)
      .when(change({ name: 'Outra' }))
      .thenRejected('label_not_found')
  })
  it('go all at once with the account', () => {
    const all = { type: 'DeleteAllLabels', data: {} } as const
    given(created(), created(two, 'Fiel'))
      .when(all)
      .then(deleted, { type: 'LabelDeleted', data: { labelId: two } })
    given(created(), deleted).when(all).thenNothing()
  })
})
