/** Of a message that came while the business was closed. */
export interface ClosedTimeFacts {
  isReplyOn: boolean
  /** A flow starts by the message, or the message answers one. */
  isTaken: boolean
  /** A flow goes on with the contact. */
  isRunOn: boolean
  /** A flow that starts out of hours is enabled on this number. */
  hasOutOfHoursFlow: boolean
  /** A person was asked for, and the conversation goes on; or the bot is paused. */
  startsNoFlow: boolean
}

/** Of a flow and the reply out of hours one speaks. */
export const speakerOutOfHours = ({
  isReplyOn,
  isTaken,
  isRunOn,
  hasOutOfHoursFlow,
  startsNoFlow,
}: ClosedTimeFacts): 'flow' | 'reply' | 'nobody' => {
  if (isTaken || isRunOn) return 'flow'
  if (hasOutOfHoursFlow && !startsNoFlow) return 'flow'
  return isReplyOn ? 'reply' : 'nobody'
}

export const oneAnswerSentence =
  'Fora do horário, cada mensagem tem uma resposta só: a do fluxo, se um fluxo conversa com o contato, recebe a mensagem ou atende fora do horário neste número; senão, a resposta automática.'
