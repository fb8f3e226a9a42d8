import type { FlowDocument, FlowNode, FlowNodeOf, FlowOutput } from '@prosa/contracts/flows/flow-document'
import { newFlowSettings, newNode, newNodeData } from '@prosa/contracts/flows/new-node'

const at = { x: 0, y: 0 }

const node = <T extends FlowNode['type']>(type: T, id: string, data: Partial<FlowNodeOf<T>['data']>): FlowNode =>
  ({ ...newNode(type, id, at), data: { ...newNodeData[type], ...data } }) as FlowNode

export const shopTexts = {
  menu: 'Olá! Aqui é a Padaria Sol. Como podemos ajudar?',
  order: 'O que vai ser?',
  noted: 'Anotado! Separamos para você.',
  address: 'Rua das Flores, perto da praça. Abrimos às 6 h.',
  person: 'Certo! Já chamei uma pessoa.',
  notUnderstood: 'Não entendi. Responda com o número.',
  idea: 'Conte a sua ideia.',
  silence: 'Ficamos por aqui. É só escrever de novo.',
  goodbye: 'Obrigado pela visita!',
  thanks: 'Por nada!',
} as const

/** A bakery's menu: an order, the address, a person, and an idea that nobody writes down. */
export const shopFlow = (): FlowDocument => {
  const finish = (id: string, message: string) => node('finish', id, { message, thanks: shopTexts.thanks })
  const options = ['Fazer um pedido', 'Endereço e horário', 'Falar com uma pessoa', 'Dar uma ideia']
  const links: readonly (readonly [string, FlowOutput, string])[] = [
    ['start', null, 'menu'],
    ['menu', 'option_1', 'order'],
    ['menu', 'option_2', 'address'],
    ['menu', 'option_3', 'person'],
    ['menu', 'option_4', 'idea'],
    ['menu', 'not_understood', 'person'],
    ['order', 'answer', 'noted'],
    ['noted', null, 'goodbye'],
    ['address', null, 'goodbye'],
    ['idea', 'timeout', 'silence'],
  ]
  return {
    nodes: [
      newNode('trigger', 'start', at),
      node('menu', 'menu', {
        text: shopTexts.menu,
        options: options.map((label, index) => ({
          output: `option_${index + 1}` as 'option_1',
          label,
          words: index === 2 ? ['atendente'] : [],
        })),
        notUnderstood: shopTexts.notUnderstood,
        attempts: 2,
      }),
      node('question', 'order', { question: shopTexts.order, variable: 'pedido' }),
      node('message', 'noted', { message: shopTexts.noted }),
      node('message', 'address', { message: shopTexts.address }),
      node('handover', 'person', { message: shopTexts.person }),
      node('question', 'idea', { question: shopTexts.idea, variable: 'ideia', timeoutSeconds: 2 }),
      finish('silence', shopTexts.silence),
      finish('goodbye', shopTexts.goodbye),
    ],
    links: links.map(([source, sourceHandle, target]) => ({
      id: `${source} ${sourceHandle ?? ''}`,
      ...{ source, target, sourceHandle },
    })),
    settings: { ...newFlowSettings },
  }
}
