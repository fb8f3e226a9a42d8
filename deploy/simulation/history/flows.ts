import { asks, flowOf, nodeOf, rowOf, says, waits } from '@prosa/automation/run/testing/flow-of'
import type { FlowDocument } from '@prosa/contracts/flows/flow-document'

const keyword = (word: string) =>
  nodeOf('start', 'trigger', { start: { kind: 'keyword', words: [word], match: 'contains' } })

const outOfHours = nodeOf('start', 'trigger', { start: { kind: 'out_of_hours' } })

/** By the keyword that starts them. */
export const flowDocuments = {
  pergunta: flowOf(
    [keyword('pergunta'), asks('pedido', 'Qual é o pedido?', 600), says('obrigado'), says('tarde', 'Até mais')],
    ['start > pedido', 'pedido answer > obrigado', 'pedido timeout > tarde'],
  ),
  espera: rowOf([keyword('espera'), says('antes'), waits('pausa', '1800'), says('depois')]),
  fora: rowOf([outOfHours, says('fechado', 'Voltamos amanhã, {nome}')]),
} satisfies Record<string, FlowDocument>

export type FlowName = keyof typeof flowDocuments
