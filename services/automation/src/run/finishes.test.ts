import { deriveId } from '@prosa/kernel/derive-id'
import { describe, expect, it } from 'vitest'
import { conversationWith } from './testing/conversation-with.ts'
import { begins, flowOf, nodeOf, says } from './testing/flow-of.ts'

const [flow, greeting, prices] = [deriveId('a flow'), deriveId('a greeting'), deriveId('prices')]
const finish = nodeOf('end', 'finish', { message: 'Até mais, {nome}!', thanks: 'Por nada, {nome}!' })
const again = { again: 'after', againAfterHours: 24 } as const
const bakery = () => {
  const keyword = nodeOf('start', 'trigger', { start: { kind: 'keyword', words: ['bolo'], match: 'contains' } })
  const asked = nodeOf('start', 'trigger', { start: { kind: 'keyword', words: ['preço'], match: 'contains' } })
  return conversationWith({
    [flow]: flowOf([keyword, says('oi', 'Temos bolo.'), finish], ['start > oi', 'oi > end'], again),
    [greeting]: flowOf([begins, says('ola', 'Olá!')], ['start > ola'], again),
    [prices]: flowOf([asked, says('reais', 'R$ 10.')], ['start > reais'], again),
  })
}
const typesOf = (events: readonly { type: string }[]) => events.map(({ type }) => type)

describe('a flow that finishes the conversation', () => {
  it('says so, asks for it, and ends', () => {
    const ana = bakery()
    const events = ana.writes('bolo')
    expect(ana.sent()).toEqual(['Temos bolo.', 'Até mais, Ana!'])
    expect(typesOf(events).slice(-3)).toEqual(['FlowFinishRequested', 'FlowStepTaken', 'FlowRunEnded'])
    expect(ana.ends()).toEqual(['completed'])
  })

  it('answers thanks once, and leaves it finished each time', () => {
    const ana = bakery()
    ana.writes('bolo')
    expect(typesOf(ana.writes('muito obrigada!'))).toEqual(['FlowThanked', 'FlowMessageRequested'])
    expect(typesOf(ana.writes('👍'))).toEqual(['FlowThanked'])
    expect(ana.sent().slice(2)).toEqual(['Por nada, Ana!'])
  })

  it('greets nobody who writes something else: it waits for a person, once', () => {
    const ana = bakery()
    ana.writes('bolo')
    expect(typesOf(ana.writes('e quanto demora?'))).toEqual(['FlowFinishUndone'])
    expect(ana.sent()).toHaveLength(2)
    expect(ana.state().finished).toBeNull()
  })

  it('leaves keywords to their flows', () => {
    const ana = bakery()
    ana.writes('bolo')
    ana.writes('qual o preço?')
    expect(ana.sent().slice(2)).toEqual(['R$ 10.'])
    expect(ana.state().finished).toBeNull()
  })

  it('is over after the time in which it does not begin again', () => {
    const ana = bakery()
    ana.writes('bolo')
    ana.passes(24 * 3600)
    ana.writes('obrigada')
    expect(ana.sent().slice(2)).toEqual(['Olá!'])
  })

  it('takes thanks that are delivered twice once', () => {
    const ana = bakery()
    ana.writes('bolo')
    ana.writes('obrigada', { messageId: 'A' })
    expect(ana.writes('obrigada', { messageId: 'A' })).toEqual([])
    expect(ana.sent().slice(2)).toEqual(['Por nada, Ana!'])
  })

  it('thanks nobody whom a person attends since', () => {
    const ana = bakery()
    ana.writes('bolo')
    const at = ana.state().finished?.until ?? ''
    expect(ana.give({ type: 'EndRuns', data: { at, reason: 'accepted' } })).toMatchObject([
      { type: 'FlowFinishUndone', data: { messageId: null } },
    ])
    expect(ana.state().finished).toBeNull()
  })
})
