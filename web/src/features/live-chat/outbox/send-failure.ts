import { ApiProblem } from '../../../lib/http/http.ts'

const noConnection = 'Nenhuma conexão WhatsApp ativa encontrada'
const notConnected = 'WhatsApp não está conectado'
export const fileLost = 'O arquivo não chegou a sair antes de a página fechar. Anexe-o de novo.'

/** Specification, 8. A refused file, the plan, an unconfirmed address and a removed number have sentences of their own. */
export const sendFailure = (error: unknown): string => {
  const { status, type, title } = error instanceof ApiProblem ? error : { status: 0, type: '', title: '' }
  if (title.includes(noConnection)) return noConnection
  const isExplained = type.startsWith('media_') || type.startsWith('line_') || type === 'email_not_confirmed'
  if (isExplained || status === 402 || status === 429) return title
  return title.includes(notConnected)
    ? `${notConnected}. Por favor, conecte sua conta do WhatsApp em Configurações antes de enviar mensagens.`
    : 'Erro ao enviar mensagem. Tente novamente.'
}

export const asksForPlan = (failure: string | null): boolean => failure?.includes('Escolha um plano') ?? false

/** Its own number was removed. */
export const asksForNumber = (failure: string | null): boolean => failure?.includes('Escolha por qual número') ?? false
