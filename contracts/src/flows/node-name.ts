import type { FlowNode, FlowNodeType } from './flow-document.ts'

/** In the sidebar's order (specification, 2). */
export const nodeTypeNames: Record<FlowNodeType, string> = {
  trigger: 'Gatilho',
  message: 'Mensagem',
  delay: 'Delay',
  condition: 'Condição',
  question: 'Pergunta',
  label: 'Etiqueta',
  handover: 'Transferir',
  flow: 'Outro fluxo',
  menu: 'Menu',
  finish: 'Finalizar conversa',
  request: 'Requisição HTTP',
  calculation: 'Cálculo',
}

/** One line, at most `max` characters. */
export const quoted = (text: string, max = 60): string => {
  const line = text.trim().replaceAll(/\s+/g, ' ')
  const signs = [...line]
  return `“${
    signs.length > max
      ? `${signs
          .slice(0, max - 1)
          .join('')
          .trimEnd()}…`
      : line
  }”`
}

const units = [
  [86_400, 'dia', 'dias'],
  [3600, 'hora', 'horas'],
  [60, 'minuto', 'minutos'],
  [1, 'segundo', 'segundos'],
] as const

/** 5400 → '1 hora e 30 minutos'. */
export const durationWords = (seconds: number): string => {
  const parts: string[] = []
  let left = seconds
  for (const [size, one, many] of units) {
    const number = Math.floor(left / size)
    left -= number * size
    if (number > 0) parts.push(`${number.toLocaleString('pt-BR')} ${number === 1 ? one : many}`)
  }
  return parts.length === 0 ? '0 segundos' : parts.slice(0, 2).join(' e ')
}

const ownWords = (node: FlowNode): string => {
  switch (node.type) {
    case 'trigger':
      return node.data.trigger
    case 'message':
      return node.data.title || node.data.message || (node.data.file?.fileName ?? '')
    case 'delay':
      return ''
    case 'condition':
      return node.data.condition
    case 'question':
      return node.data.question
    case 'menu':
      return node.data.text
    case 'request':
      return node.data.title || node.data.url
    case 'calculation':
      return node.data.variable
    case 'handover':
    case 'finish':
      return node.data.message
    case 'label':
    case 'flow':
      return ''
  }
}

/** 'Mensagem “Fora do horário”', 'Delay de 5 segundos'. */
export const nodeName = (node: FlowNode): string => {
  const type = nodeTypeNames[node.type]
  if (node.type === 'delay') return `${type} de ${durationWords(Number(node.data.delay) || 0)}`
  const words = ownWords(node).slice(0, 400)
  return words.trim() === '' ? type : `${type} ${quoted(words, 40)}`
}
