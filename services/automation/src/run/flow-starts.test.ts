import { deriveId } from '@prosa/kernel/derive-id'
import { describe, expect, it } from 'vitest'
import { conversationWith } from './testing/conversation-with.ts'
import { asks, begins, nodeOf, rowOf, says, waits } from './testing/flow-of.ts'

const flow = deriveId('a flow')
const other = deriveId('another flow')
const label = deriveId('a label')

const on = (start: Parameters<typeof nodeOf<'trigger'>>[2]) => nodeOf('start', 'trigger', start)
const keyword = (...words: string[]) => on({ start: { kind: 'keyword', words, match: 'contains' } })

describe('a message', () => {
  const four = {
    [deriveId('any')]: rowOf([begins, says('hi', 'any')]),
    [deriveId('closed')]: rowOf([on({ start: { kind: 'out_of_hours' } }), says('hi', 'closed')]),
    [deriveId('first')]: rowOf([on({ start: { kind: 'first_contact' } }), says('hi', 'first')]),
    [deriveId('default')]: rowOf([
      on({ start: { kind: 'keyword', words: [], match: 'equals' } }),
      says('hi', 'default'),
    ]),
    [deriveId('word')]: rowOf([keyword('Preço'), says('hi', 'word')]),
    [deriveId('word 2')]: rowOf([keyword('preco'), says('hi', 'word 2')]),
  }
  const defaultFlowId = deriveId('default')

  it('starts one flow: by a word before a first contact, before closed hours, before the default flow, before any message', () => {
    const ana = conversationWith(four)
    const { [deriveId('word')]: _, [deriveId('word 2')]: __, ...noWord } = four
    ana.writes('Qual o PRECO?', { isFirst: true, isOutOfHours: true, defaultFlowId })
    ana.writes('oi', { isFirst: true, isOutOfHours: true, defaultFlowId })
    ana.writes('oi', { isOutOfHours: true, defaultFlowId })
    ana.writes('oi', { defaultFlowId })
    expect(ana.sent()).toEqual(['word', 'first', 'closed', 'any'])
    const { [deriveId('first')]: ___, ...noFirst } = noWord
    const bia = conversationWith(noFirst)
    bia.writes('oi', { isFirst: true, defaultFlowId })
    expect(bia.sent()).toEqual(['default'])
    expect(bia.started()[0]?.startedBy).toBe('default_flow')
  })

  it('starts nothing on a line that the flow is not for, and nothing whose trigger is turned off', () => {
    const elsewhere = rowOf([begins, says('hi', 'Oi')], { connectionIds: [deriveId('another line')] })
    const off = rowOf([on({ enabled: false }), says('hi', 'Oi')])
    const ana = conversationWith({ [flow]: elsewhere, [other]: off })
    expect(ana.writes('oi')).toEqual([])
  })

  it('starts a flow again never, or so many hours after it ended, or whenever it is not running', () => {
    const times = (again: 'always' | 'never' | 'after') => {
      const ana = conversationWith({ [flow]: rowOf([begins, says('hi', 'Oi')], { again, againAfterHours: 2 }) })
      ana.writes('oi')
      ana.passes(3600)
      ana.writes('oi')
      ana.passes(3600)
      ana.writes('oi')
      return ana.started().length
    }
    expect([times('never'), times('after'), times('always')]).toEqual([1, 2, 3])
  })

  it('is the answer where a run asks, whatever it would start otherwise', () => {
    const ana = conversationWith({
      [flow]: rowOf([begins, asks('sabor', 'Que sabor?')]),
      [other]: rowOf([keyword('preço'), says('hi', 'R$ 10')]),
    })
    ana.writes('oi')
    ana.writes('preço')
    expect(ana.sent()).toEqual(['Que sabor?'])
  })

  it('starts another flow while a run rests for long, and is kept by one that only pauses', () => {
    const flows = (delay: string) => ({
      [flow]: rowOf([keyword('oi'), waits('rest', delay), asks('sabor', 'Que sabor?')]),
      [other]: rowOf([keyword('preço'), says('hi', 'R$ 10')]),
    })
    const ana = conversationWith(flows('86400'))
    ana.writes('oi')
    ana.writes('preço')
    expect(ana.sent()).toEqual(['R$ 10'])
    const bia = conversationWith(flows('30'))
    bia.writes('oi')
    bia.writes('preço')
    expect(bia.sent()).toEqual([])
    expect(bia.state().runs[0]?.kept).toHaveLength(1)
  })

  it('starts nothing where nothing may start', () => {
    const ana = conversationWith({ [flow]: rowOf([begins, says('hi', 'Oi')]) })
    expect(ana.writes('oi', { candidates: [] })).toEqual([])
  })
})

describe('a label', () => {
  it('starts the flow that waits for it, once', () => {
    const document = rowOf([on({ start: { kind: 'label_set', labelId: label } }), says('hi', 'Bem-vinda ao clube!')])
    const ana = conversationWith({ [flow]: document })
    ana.isLabelled(deriveId('another label'))
    ana.isLabelled(label, 'that day')
    ana.isLabelled(label, 'that day')
    expect(ana.sent()).toEqual(['Bem-vinda ao clube!'])
  })
})
