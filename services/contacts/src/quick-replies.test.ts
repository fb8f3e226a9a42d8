import { decide, fold } from '@prosa/kernel/domain/decider'
import { specify } from '@prosa/kernel/domain/specify'
import { sizeOf } from '@prosa/kernel/size-of'
import { describe, expect, it } from 'vitest'
import { type QuickReplyEvent, quickReplies } from './quick-replies.ts'

const given = specify(quickReplies)
const [one, two] = ['c2b4a1de-91c4-4f0e-8a53-6f0a2f1b7d33', '7c0c5a0e-5f5e-4a53-9a37-3f4f1c1f0a11']
const texts = { shortcut: 'Endereço', content: 'Rua das Flores, 10', isActive: true }
const add = (quickReplyId = one, shortcut = texts.shortcut) =>
  ({ type: 'AddQuickReply', data: { ...texts, quickReplyId, shortcut } }) as const
const added = (quickReplyId = one, shortcut = texts.shortcut): QuickReplyEvent => ({
  type: 'QuickReplyAdded',
  data: add(quickReplyId, shortcut).data,
})
const change = (wish: Partial<typeof texts>, quickReplyId = one) =>
  ({ type: 'ChangeQuickReply', data: { quickReplyId, ...wish } }) as const
const remove = { type: 'RemoveQuickReply', data: { quickReplyId: one } } as const
const removed: QuickReplyEvent = { type: 'QuickReplyRemoved', data: { quickReplyId: one } }

describe('quick replies', () => {
  it('are added once, however often it is asked', () => {
    given().when(add()).then(added())
    given(added()).when(add()).thenNothing()
    given(added(), removed).when(add()).thenNothing()
  })
  it('have a shortcut each, whatever its case and accents', () => {
    given(added()).when(add(two)).thenRejected('shortcut_taken')
    given(added()).when(add(two, 'ENDERECO')).thenRejected('shortcut_taken')
    given(added(), added(two, 'pix'))
      .when(change({ shortcut: 'endereco' }, two))
      .thenRejected('shortcut_taken')
    given(added()).when(add(two, 'enderecos')).then(added(two, 'enderecos'))
  })
  it('free their shortcut when they get another, or go', () => {
    given(added(), { type: 'QuickReplyChanged', data: { ...texts, quickReplyId: one, shortcut: 'rua' } })
      .when(add(two))
      .then(added(two))
    given(added(), removed).when(add(two)).then(added(two))
  })
  it('change what is given and keep the rest', () => {
    given(added())
      .when(change({ isActive: false }))
      .then({ type: 'QuickReplyChanged', data: { ...texts, quickReplyId: one, isActive: false } })
    given(added())
      .when(change({ shortcut: 'ENDEREÇO' }))
      .then({ type: 'QuickReplyChanged', data: { ...texts, quickReplyId: one, shortcut: 'ENDEREÇO' } })
    given(added()).when(change(texts)).thenNothing()
  })
  it('are 500 at most; another one may come for one that goes', () => {
    const all = Array.from({ length: 500 }, (_, n) => added(`${n}`, `atalho ${n}`))
    given(...all)
      .when(add(two, 'mais'))
      .thenRejected('too_many_quick_replies')
    given(...all)
      .when(add('7', 'mais'))
      .thenNothing()
    given(...all, { type: 'QuickReplyRemoved', data: { quickReplyId: '7' } })
      .when(add(two, 'mais'))
      .then(added(two, 'mais'))
  })
  it('are removed once', () => {
    given(added()).when(remove).then(removed)
    given(added(), removed).when(remove).thenNothing()
  })
  it('leave no more behind than the last that were removed, however often one comes and goes', () => {
    let state = quickReplies.initial
    const happens = (event: QuickReplyEvent) => {
      state = fold(quickReplies, state, [event])
    }
    for (let each = 0; each < 5000; each++) {
      happens(added(`${each}`, 'pix'))
      happens({ type: 'QuickReplyRemoved', data: { quickReplyId: `${each}` } })
    }
    expect(sizeOf(state)).toBeLessThan(200_000)
    expect(decide(quickReplies, state, add('4999', 'pix'))).toEqual([])
  })
  it('must be there', () => {
    given().when(remove).thenRejected('quick_reply_not_found')
    given().when(change({})).thenRejected('quick_reply_not_found')
    given(added(), removed).when(change({})).thenRejected('quick_reply_not_found')
  })
  it('go all at once with the account', () => {
    const all = { type: 'RemoveAllQuickReplies', data: {} } as const
    given(added(), added(two, 'pix'))
      .when(all)
      .then(removed, { type: 'QuickReplyRemoved', data: { quickReplyId: two } })
    given(added(), removed).when(all).thenNothing()
  })
})
