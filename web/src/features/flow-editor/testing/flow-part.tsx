import { ThemeProvider } from '@mui/material/styles'
import type { FlowDocument, FlowNode, FlowNodeOf, FlowNodeType } from '@prosa/contracts/flows/flow-document'
import { newFlowSettings, newNode } from '@prosa/contracts/flows/new-node'
import { QueryClientProvider } from '@tanstack/react-query'
import { render } from '@testing-library/react'
import type { ReactElement } from 'react'
import { MemoryRouter } from 'react-router-dom'
import { createQueryClient } from '../../../app/query-client.ts'
import { theme } from '../../../app/theme.ts'
import { ToastProvider } from '../../../components/notices/toast-provider.tsx'

export const flowId = '5f0c2c0e-0d5a-4d57-9f0a-6a5b1a2c3d4e'

export const renderPart = (part: ReactElement) => {
  const queries = createQueryClient()
  const wrapped = (of: ReactElement) => (
    <ThemeProvider theme={theme}>
      <MemoryRouter>
        <QueryClientProvider client={queries}>
          <ToastProvider>{of}</ToastProvider>
        </QueryClientProvider>
      </MemoryRouter>
    </ThemeProvider>
  )
  const { rerender, ...shown } = render(wrapped(part))
  return { ...shown, rerender: (other: ReactElement) => rerender(wrapped(other)) }
}

export const someNode = <T extends FlowNodeType>(
  type: T,
  id: string,
  data: Partial<FlowNodeOf<T>['data']> = {},
): FlowNode => {
  const node = newNode(type, id, { x: 0, y: 0 })
  return { ...node, data: { ...node.data, ...data } } as FlowNode
}

/** Links as 'from>to' or 'from.output>to'. */
export const someFlow = (nodes: FlowNode[], ...links: string[]): FlowDocument => ({
  nodes,
  links: links.map((link) => {
    const [from = '', target = ''] = link.split('>')
    const [source = '', output] = from.split('.')
    return { id: link, source, target, sourceHandle: (output ?? null) as FlowDocument['links'][number]['sourceHandle'] }
  }),
  settings: { ...newFlowSettings },
})

export const welcome = (): FlowDocument =>
  someFlow(
    [
      someNode('trigger', 'inicio'),
      someNode('message', 'ola', { message: 'Olá, {nome}!', typingSeconds: 2 }),
      someNode('question', 'pedir', { question: 'Quer fazer um pedido?', variable: 'quer' }),
      someNode('condition', 'sim', { condition: 'Se quer', test: { kind: 'yes', variable: 'quer' } }),
      someNode('message', 'cardapio', { title: 'Cardápio', message: 'Veja o cardápio.' }),
      someNode('delay', 'pausa', { delay: '3600' }),
      someNode('handover', 'pessoa', { message: 'Já chamo alguém.' }),
    ],
    'inicio>ola',
    'ola>pedir',
    'pedir.answer>sim',
    'sim.true>cardapio',
    'sim.false>pausa',
    'pausa>pessoa',
  )
