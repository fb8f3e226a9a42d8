import { deriveId } from '@prosa/kernel/derive-id'
import { describe, expect, it } from 'vitest'
import { conversationWith } from './testing/conversation-with.ts'
import { begins, flowOf, nodeOf, says, waits } from './testing/flow-of.ts'

const flow = deriveId('a flow')
const menu = nodeOf('menu', 'menu', {
  text: 'Olá, {nome}! O que deseja?',
  options: [
    { output: 'option_1', label: 'Bolos', words: [] },
    { output: 'option_3', label: 'Pães', words: ['pãozinho'] },
  ],
  variable: 'pedido',
  notUnderstood: 'Responda 1 ou 2.',
  attempts: 2,
  timeoutSeconds: 60,
})
const nodes = [
  begins,
  menu,
  says('bolos', 'Temos {pedido}.'),
  says('paes', '{pedido}: {resposta}'),
  says('outro'),
  says('tarde'),
]
const ways = [
  'start > menu',
  'menu option_1 > bolos',
  'menu option_3 > paes',
  'menu not_understood > outro',
  'menu timeout > tarde',
]
const asked = 'Olá, Ana! O que deseja?\n\n1 - Bolos\n2 - Pães'

const ana = () => {
  const talk = conversationWith({ [flow]: flowOf(nodes, ways) })
  talk.writes('oi')
  return talk
}

describe('a menu', () => {
  it('is one message with numbered options, and waits', () => {
    const talk = ana()
    expect(talk.sent()).toEqual([asked])
    expect(talk.state().runs[0]?.standing).toMatchObject({ nodeId: 'menu', waitsFor: 'answer' })
  })

  it('goes on by the option that the answer chooses, and stores its label', () => {
    const talk = ana()
    talk.writes('2')
    expect(talk.sent()).toEqual([asked, 'Pães: 2'])
    expect(talk.ends()).toEqual(['completed'])
  })

  it('asks again after another answer, so many times, then goes on by "Não entendi"', () => {
    const talk = ana()
    talk.writes('quanto custa?')
    expect(talk.sent()).toEqual([asked, 'Responda 1 ou 2.'])
    talk.writes('hein')
    expect(talk.sent().slice(2)).toEqual(['Responda 1 ou 2.'])
    talk.writes('pizza')
    expect(talk.sent().slice(3)).toEqual(['outro'])
  })

  it('understands the answer after one that it did not', () => {
    const talk = ana()
    talk.writes('hein')
    talk.writes('bolos')
    expect(talk.sent()).toEqual([asked, 'Responda 1 ou 2.', 'Temos Bolos.'])
  })

  it('takes an answer that is delivered twice once', () => {
    const talk = ana()
    talk.writes('hein', { messageId: 'A' })
    expect(talk.writes('hein', { messageId: 'A' })).toEqual([])
    expect(talk.sent()).toEqual([asked, 'Responda 1 ou 2.'])
  })

  it('waits anew from each time that it asks', () => {
    const talk = ana()
    talk.passes(50)
    talk.writes('hein')
    talk.passes(50)
    expect(talk.sent()).toEqual([asked, 'Responda 1 ou 2.'])
    talk.passes(10)
    expect(talk.sent().at(-1)).toBe('tarde')
  })

  it('takes what was written while the flow delayed as answers, in their order', () => {
    const delayed = [begins, waits('rest', '30'), ...nodes.slice(1)]
    const talk = conversationWith({ [flow]: flowOf(delayed, ['start > rest', 'rest > menu', ...ways.slice(1)]) })
    talk.writes('oi')
    talk.writes('hein')
    talk.writes('pãozinho')
    talk.passes(30)
    expect(talk.sent()).toEqual([asked, 'Responda 1 ou 2.', 'Pães: pãozinho'])
  })

  it('with no attempts goes on at once', () => {
    const strict = { ...menu, data: { ...menu.data, attempts: 0 } } as typeof menu
    const talk = conversationWith({ [flow]: flowOf([begins, strict, ...nodes.slice(2)], ways) })
    talk.writes('oi')
    talk.writes('hein')
    expect(talk.sent()).toEqual([asked, 'outro'])
  })

  it('counts its attempts where the run stands, which a merge takes along', () => {
    const talk = ana()
    talk.writes('hein')
    expect(talk.state().runs[0]?.standing).toMatchObject({ attempt: 1 })
    talk.writes('hein')
    expect(talk.state().runs[0]?.standing).toMatchObject({ attempt: 2 })
  })
})
