import type { FlowDocument, FlowNode, FlowNodeOf, FlowNodeType } from './flow-document.ts'

type DataOf = { [T in FlowNodeType]: FlowNodeOf<T>['data'] }

/** Specification, 3. */
export const newNodeData: DataOf = {
  trigger: { trigger: 'O usuário envia uma mensagem', enabled: true, start: { kind: 'any_message' } },
  message: { title: '', message: 'Olá! Como posso ajudá-lo hoje?', enabled: true, file: null, typingSeconds: 0 },
  delay: { delay: '5', description: 'Pausar por alguns segundos antes de continuar' },
  condition: {
    condition: 'Se o usuário respondeu "sim"',
    test: { kind: 'yes', variable: 'resposta' },
  },
  question: { question: 'Qual é o seu nome?', variable: 'nome_informado', timeoutSeconds: null },
  menu: {
    text: 'Como podemos ajudar?',
    options: [
      { output: 'option_1', label: 'Fazer um pedido', words: [] },
      { output: 'option_2', label: 'Falar com uma pessoa', words: ['atendente', 'humano'] },
    ],
    variable: '',
    notUnderstood: 'Não entendi. Responda com o número de uma das opções.',
    attempts: 2,
    timeoutSeconds: null,
  },
  request: { title: '', method: 'GET', url: '', headers: [], body: '', results: [] },
  calculation: { expression: '', variable: 'total', decimals: 2, fieldId: null },
  label: { labelId: null, isLabelled: true },
  handover: { message: 'Certo! Já chamei uma pessoa da equipe, que responde por aqui.' },
  finish: { message: 'Obrigado pelo contato!', thanks: 'Por nada! Quando precisar, é só escrever.' },
  flow: { flowId: null },
}

export const newNode = (type: FlowNodeType, id: string, position: FlowNode['position']): FlowNode =>
  ({ id, type, position, data: structuredClone(newNodeData[type]) }) as FlowNode

export const newFlowSettings: FlowDocument['settings'] = {
  again: 'after',
  againAfterHours: 24,
  silenceHours: 24,
  connectionIds: [],
}

/** Specification, 3. */
export const starterFlow = (): FlowDocument => ({
  nodes: [
    newNode('trigger', 'inicio', { x: 90, y: 90 }),
    {
      ...newNode('message', 'resposta', { x: 90, y: 270 }),
      type: 'message',
      data: {
        ...newNodeData.message,
        title: 'Boas-vindas',
        message: 'Olá, {nome}! Recebemos a sua mensagem e respondemos por aqui assim que pudermos.',
      },
    },
  ],
  links: [{ id: 'inicio-resposta', source: 'inicio', target: 'resposta', sourceHandle: null }],
  settings: { ...newFlowSettings },
})
