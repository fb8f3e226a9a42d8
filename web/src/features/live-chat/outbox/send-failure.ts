import { ApiProblem } from '../../../lib/http.ts'

const noConnection = 'Nenhuma conexão WhatsApp ativa encontrada'
const notConnected = 'WhatsApp não está conectado'
export const fileLost = 'O arquivo não chegou a sair antes de a página fechar. Anexe-o de novo.'

/**
 * The sentence of the specification, 8, for a message that was not accepted; of a refused file, why, and how long to wait; of a plan, what
 * it does not allow; of an address, that it has to be confirmed; of a number, why it is not that of the conversation.
 */
export const sendFailure = (error: unknown): string => {
  const { status, type, title } = error instanceof ApiProblem ? error : { status: 0, type: '', title: '' }
  if (title.includes(noConnection)) return noConnection
  const isExplained = type.startsWith('media_') || type.startsWith('line_') || type === 'email_not_confirmed'
  if (isExplained || status === 402 || status === 429) return title
  return title.includes(notConnected)
    ? `${notConnected}. Por favor, conecte sua conta do WhatsApp em Configurações antes de enviar mensagens.`
    : 'Erro ao enviar mensagem. Tente novamente.'
}

/** Whether a plan is the way on: so end the sentences of what only paying opens. */
export const asksForPlan = (failure: string | null): boolean => failure?.includes('Escolha um plano') ?? false

/** Whether somebody has to choose over which number the conversation goes on: so ends the sentence where its own was removed. */
export const asksForNumber = (failure: string | null): boolean => failure?.includes('Escolha por qual número') ?? false
