import type { ConversationLine } from './http/live-chat.ts'

type Kind = ConversationLine['kind']

const named = (article: string, name: string | null) =>
  name === null ? `${article} fluxo` : `${article} fluxo “${name}”`
const theFlow = ({ flow }: ConversationLine) => named('O', flow)
const somebody = ({ who }: ConversationLine) => who ?? 'Alguém da equipe'

const stops: Readonly<Record<string, string>> = {
  silence: 'o cliente não respondeu',
  flow_deleted: 'foi excluído',
  connection_removed: 'a conexão foi removida',
  too_many_steps: 'deu passos demais sem esperar',
  stopped: 'uma pessoa o parou',
  unanswered: 'enviou muitas mensagens sem resposta',
}

const causes: Readonly<Record<string, string>> = {
  message: 'o cliente escreveu',
  after_finish: 'o cliente escreveu depois que o fluxo finalizou',
  flow: 'os fluxos a deixaram para uma pessoa',
  merge: 'o contato unido esperava',
}

const withCause = (sentence: string, cause: string | undefined) =>
  cause === undefined ? sentence : `${sentence}: ${cause}`

const forHours = (hours: string | null) => {
  if (hours === null) return ' até alguém retomar'
  return hours === '1' ? ' por 1 hora' : ` por ${hours} horas`
}

const words: Record<Kind, (line: ConversationLine) => string> = {
  flow_started: (line) => `${theFlow(line)} começou`,
  flow_started_by_hand: (line) => `${somebody(line)} começou ${named('o', line.flow)}`,
  flow_went_on: (line) => `A conversa seguiu para ${named('o', line.flow)}`,
  flow_transferred: (line) => `${theFlow(line)} chamou uma pessoa`,
  flow_stopped: (line) => withCause(`${theFlow(line)} parou`, stops[line.reason ?? '']),
  accepted: (line) => `${somebody(line)} assumiu${line.stopsFlow ? `; ${named('o', line.flow)} parou` : ' a conversa'}`,
  finished: (line) => `${somebody(line)} finalizou a conversa`,
  finished_by_flow: (line) => `${theFlow(line)} finalizou a conversa`,
  reopened: (line) => withCause('A conversa voltou a esperar', causes[line.reason ?? '']),
  resumed: (line) => `${somebody(line)} reabriu a conversa`,
  merged: () => 'A conversa de outro contato foi unida a esta',
  separated: (line) => `${somebody(line)} separou a conversa de outro contato`,
  line_chosen: (line) =>
    `${somebody(line)} escolheu responder por ${line.number === null ? 'outro número' : `“${line.number}”`}`,
  robot_suspected: () => 'Os fluxos pararam: talvez seja um robô',
  robot_cleared: (line) => `${somebody(line)} disse que não é um robô`,
  bot_paused: (line) => `${somebody(line)} pausou o robô${forHours(line.reason)}`,
  bot_resumed: (line) => `${somebody(line)} retomou o robô`,
}

/** The sentence of a line in a conversation, without a full stop. */
export const lineInWords = (line: ConversationLine): string => words[line.kind](line)
