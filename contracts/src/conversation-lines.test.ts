import { expect, it } from 'vitest'
import { lineInWords } from './conversation-lines.ts'
import { type ConversationLine, conversationLine } from './http/live-chat.ts'

const base = { id: '5b1c7a94-2f0e-5d7a-8c11-6a2b9e4f0d10', at: '2026-11-27T12:00:00.000Z', stopsFlow: false }

it('has words for every kind of line, with names and without, and none that is left open', () => {
  const kinds = conversationLine.shape.kind.options
  const of = (named: boolean) =>
    kinds.map((kind) =>
      lineInWords({
        ...{ id: '5b1c7a94-2f0e-5d7a-8c11-6a2b9e4f0d10', at: '2026-11-27T12:00:00.000Z', kind, stopsFlow: named },
        ...(named
          ? { who: 'Pedro', flow: 'Pedidos', number: 'Balcão', reason: 'silence' }
          : { who: null, flow: null, number: null, reason: null }),
      }),
    )
  for (const words of [...of(true), ...of(false)]) {
    expect(words).toMatch(/^\p{Lu}.{8,}[^.: ]$/u)
    expect(words).not.toMatch(/null|undefined/)
  }
})

it.each<[Partial<ConversationLine>, string]>([
  [{ kind: 'bot_paused', reason: '1' }, 'Marina Alves pausou o robô por 1 hora'],
  [{ kind: 'bot_paused', reason: '4' }, 'Marina Alves pausou o robô por 4 horas'],
  [{ kind: 'bot_paused', reason: null }, 'Marina Alves pausou o robô até alguém retomar'],
  [{ kind: 'flow_started_by_hand' }, 'Marina Alves começou o fluxo “Encomenda”'],
  [{ kind: 'accepted', stopsFlow: true }, 'Marina Alves assumiu; o fluxo “Encomenda” parou'],
])('says of %o who did it, and for how long', (line, words) => {
  const names = { who: 'Marina Alves', flow: 'Encomenda', number: null, reason: null }
  expect(lineInWords({ ...base, ...names, kind: 'accepted', ...line })).toBe(words)
})
