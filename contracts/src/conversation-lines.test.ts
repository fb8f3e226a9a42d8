import { expect, it } from 'vitest'
import { lineInWords } from './conversation-lines.ts'
import { conversationLine } from './http/live-chat.ts'

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
