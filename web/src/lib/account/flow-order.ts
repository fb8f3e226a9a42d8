import type { FlowStart } from '@prosa/contracts/flows/flow-document'
import type { OrderedFlow, StartVerdict } from '@prosa/contracts/http/automation/flow-order'
import { queryOptions } from '@tanstack/react-query'
import { call } from '../http/call.ts'
import { useCommand } from '../http/use-command.ts'

export const flowOrderQuery = queryOptions({
  queryKey: ['flows', 'order'],
  queryFn: ({ signal }) => call('GET /api/flow-order', { signal }),
  staleTime: 0,
})

/** The named flows come first, in this order. */
export const useSetFlowOrder = () =>
  useCommand({
    run: (flowIds: readonly string[]) => call('PUT /api/flow-order', { body: { flowIds: [...flowIds] } }),
    expect: async (queries, flowIds) => {
      await queries.cancelQueries({ queryKey: flowOrderQuery.queryKey })
      const before = queries.getQueryData(flowOrderQuery.queryKey)
      const indexOf = ({ flowId }: OrderedFlow) => (flowIds.indexOf(flowId) + 1 || flowIds.length + 1) - 1
      queries.setQueryData(flowOrderQuery.queryKey, (known) =>
        known?.toSorted((one, other) => indexOf(one) - indexOf(other)),
      )
      return () => queries.setQueryData(flowOrderQuery.queryKey, before)
    },
    failed: 'A ordem não pôde ser salva',
    rereads: [flowOrderQuery.queryKey],
  })

/** 'Alguém escreve “bolo”' */
export const startSentence = (start: FlowStart | null): string => {
  switch (start?.kind) {
    case undefined:
      return 'Nada o inicia agora'
    case 'any_message':
      return 'Qualquer mensagem'
    case 'keyword': {
      const words = start.words.slice(0, 3).map((word) => `“${word}”`)
      const more = start.words.length > 3 ? ' e outras' : ''
      return `${start.match === 'equals' ? 'A mensagem é' : 'A mensagem tem'} ${words.join(' ou ')}${more}`
    }
    case 'first_contact':
      return 'Primeira mensagem de um contato'
    case 'out_of_hours':
      return 'Mensagem fora do horário'
    case 'label_set':
      return 'Um atendente põe uma etiqueta'
  }
}

export const verdictSentences: Record<StartVerdict, string> = {
  answers: 'Responde',
  after_another: 'Não: outro fluxo com o mesmo gatilho vem antes na ordem',
  less_specific: 'Não: outro fluxo tem um gatilho mais específico',
  no_keyword: 'Não: a mensagem não tem a palavra-chave',
  not_first: 'Não: só começa na primeira mensagem de um contato',
  open: 'Não: neste horário a empresa está aberta',
  by_label: 'Não: só começa com uma etiqueta',
  other_line: 'Não: não atende neste número',
  running: 'Não: já conversa com o contato',
  ran_recently: 'Não: ainda não pode começar de novo',
  trigger_off: 'Não: o gatilho está desativado',
  off: 'Não: está desligado',
  no_access: 'Não: a conta não pode enviar mensagens agora',
}
