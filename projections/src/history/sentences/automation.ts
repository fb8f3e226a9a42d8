import type { automationEvents } from '@prosa/contracts/events/automation'
import { faultWords } from '@prosa/contracts/flows/calculation'
import type { FlowOutput } from '@prosa/contracts/flows/flow-document'
import { maximumUnansweredMessages } from '@prosa/contracts/flows/flow-limits'
import { failureWords } from '@prosa/contracts/flows/request'
import { tooOften } from '@prosa/contracts/flows/too-often'
import { shownAnswer } from '@prosa/contracts/values/answers/read-answer'
import type { Instant } from '@prosa/contracts/values/instant'
import type { StoredOf } from '@prosa/kernel/event-store/codec'
import { messageLine } from '../../message-text.ts'
import { always, type Sentences } from './sentence.ts'
import { quoted } from './words.ts'

const origins: Record<StoredOf<'FlowCreated'>['data']['origin'], string> = {
  new: 'criou o fluxo',
  copy: 'copiou um fluxo como',
  import: 'importou o fluxo',
  sample: 'recebeu o fluxo de exemplo',
}

const starts: Record<StoredOf<'FlowRunStarted'>['data']['startedBy'], string> = {
  any_message: 'porque o contato escreveu',
  keyword: 'por uma palavra-chave do contato',
  first_contact: 'porque o contato escreveu pela primeira vez',
  out_of_hours: 'porque o contato escreveu fora do horário',
  label_set: 'por uma etiqueta do contato',
  default_flow: 'como fluxo padrão de um contato novo',
  flow: 'a partir de outro fluxo',
  program: 'por um programa com uma chave',
  attendant: 'a pedido de quem atende',
}

export const runEnds: Record<StoredOf<'FlowRunEnded'>['data']['reason'], string> = {
  completed: 'chegou ao fim',
  handed_over: 'passou o contato para uma pessoa',
  went_on: 'continuou em outro fluxo',
  accepted: 'parou porque a conversa foi aceita',
  silence: 'terminou porque o contato não respondeu',
  flow_deleted: 'terminou porque foi excluído',
  contact_merged: 'terminou porque o contato foi unido a outro',
  contact_erased: 'terminou porque o contato foi apagado',
  connection_removed: 'terminou porque a conexão foi removida',
  too_many_steps: 'foi interrompido: deu passos demais sem esperar',
  stopped: 'foi parado por uma pessoa',
  possible_robot: 'foi interrompido: o contato pode ser um robô',
  waits_for_person: 'terminou porque outro fluxo passou o contato para uma pessoa',
  unanswered: `foi interrompido: enviou ${maximumUnansweredMessages} mensagens sem nenhuma resposta`,
}

/** Ends that need attention. */
const troubles: ReadonlySet<string> = new Set(['too_many_steps', 'possible_robot', 'unanswered'])

const steps: Readonly<Record<string, string>> = {
  trigger: 'O fluxo passou pelo gatilho',
  message: 'O fluxo passou por uma mensagem',
  delay: 'A espera do fluxo acabou',
  condition: 'O fluxo avaliou uma condição',
  question: 'O fluxo passou por uma pergunta',
  menu: 'O fluxo passou por um menu',
  request: 'O fluxo passou por uma requisição',
  calculation: 'O fluxo passou por um cálculo',
  label: 'O fluxo passou por uma etiqueta',
  handover: 'O fluxo chamou uma pessoa',
  flow: 'O fluxo chegou à passagem para outro fluxo',
  finish: 'O fluxo finalizou a conversa',
}

const outputs: Record<NonNullable<FlowOutput>, string> = {
  true: 'verdadeira',
  false: 'falsa',
  answer: 'respondida',
  timeout: 'o tempo acabou',
  not_understood: 'a resposta não era uma opção',
  option_1: 'a primeira opção',
  option_2: 'a segunda opção',
  option_3: 'a terceira opção',
  option_4: 'a quarta opção',
  option_5: 'a quinta opção',
  option_6: 'a sexta opção',
  option_7: 'a sétima opção',
  option_8: 'a oitava opção',
  option_9: 'a nona opção',
  option_10: 'a décima opção',
  success: 'deu certo',
  failure: 'deu errado',
}

const moment = new Intl.DateTimeFormat('pt-BR', {
  timeZone: 'America/Sao_Paulo',
  dateStyle: 'short',
  timeStyle: 'short',
})

const momentOf = (at: Instant): string => moment.format(new Date(at))

/** Omits empty text, as of a run that a label started. */
const withWords = (sentence: string, words: string): string =>
  words.trim() === '' ? sentence : `${sentence}: ${quoted(words)}`

const ofVersion = (version: number) => `O fluxo (versão ${version})`

const draftSaved = (actor: string, restoredVersion: number | null): string =>
  restoredVersion === null
    ? `${actor} salvou o rascunho do fluxo`
    : `${actor} voltou o rascunho do fluxo à versão ${restoredVersion}`

export const automationSentences: Sentences<keyof typeof automationEvents> = {
  FlowFolderCreated: ({ data: { name, isSample } }, { actor }) => ({
    text: isSample
      ? `A conta recebeu a pasta de exemplo ${quoted(name)}`
      : `${actor} criou a pasta de fluxos ${quoted(name)}`,
    icon: 'flow',
  }),
  FlowFolderDescribed: ({ data: { name } }, { actor }) => ({
    text: `${actor} editou a pasta de fluxos ${quoted(name)}`,
    icon: 'flow',
  }),
  FlowFolderDeleted: (_, { actor }) => ({ text: `${actor} excluiu uma pasta de fluxos`, icon: 'end' }),
  FlowCreated: ({ data: { name, origin } }, { actor }) => ({
    text: `${origin === 'sample' ? 'A conta' : actor} ${origins[origin]} ${quoted(name)}`,
    icon: 'flow',
  }),
  FlowRenamed: ({ data: { name } }, { actor }) => ({
    text: `${actor} deu ao fluxo o nome ${quoted(name)}`,
    icon: 'flow',
  }),
  FlowMoved: ({ data: { folderId } }, { actor }) => ({
    text: folderId === null ? `${actor} tirou o fluxo da pasta` : `${actor} moveu o fluxo para uma pasta`,
    icon: 'flow',
  }),
  FlowDraftSaved: ({ data: { restoredVersion } }, { actor }) => ({
    text: draftSaved(actor, restoredVersion),
    icon: 'flow',
  }),
  FlowDraftKept: ({ data: { revision, nodeCount, restoredVersion } }, { actor }) => ({
    text:
      revision === 0
        ? `O rascunho do fluxo começou com ${nodeCount === 1 ? '1 passo' : `${nodeCount} passos`}`
        : draftSaved(actor, restoredVersion),
    icon: 'flow',
  }),
  FlowPublished: ({ data: { version } }, { actor }) => ({
    text: `${actor} publicou a versão ${version} do fluxo`,
    icon: 'flow',
  }),
  FlowTurnedOn: (_, { actor }) => ({ text: `${actor} ativou o fluxo`, icon: 'flow' }),
  FlowTurnedOff: (_, { actor }) => ({ text: `${actor} desativou o fluxo`, icon: 'end' }),
  FlowDeleted: (_, { actor }) => ({ text: `${actor} excluiu o fluxo`, icon: 'end' }),
  FlowLinkBlocked: ({ data: { token } }, { actor }) => ({
    text: `${actor} bloqueou um link do fluxo: /r/${token}`,
    icon: 'end',
  }),
  FlowLinkUnblocked: ({ data: { token } }, { actor }) => ({
    text: `${actor} desbloqueou um link do fluxo: /r/${token}`,
    icon: 'flow',
  }),
  DefaultFlowChosen: ({ data: { flowId } }, { actor }) => ({
    text: flowId === null ? `${actor} deixou a conta sem fluxo padrão` : `${actor} escolheu o fluxo padrão`,
    icon: 'flow',
  }),
  FlowOrderSet: (_, { actor }) => ({ text: `${actor} mudou a ordem dos fluxos`, icon: 'flow' }),
  FlowSecretStored: ({ data: { name } }, { actor }) => ({
    text: `${actor} guardou o segredo ${quoted(name)} das requisições dos fluxos`,
    icon: 'security',
  }),
  FlowSecretRemoved: ({ data: { name } }, { actor }) => ({
    text: `${actor} excluiu o segredo ${quoted(name)} das requisições dos fluxos`,
    icon: 'security',
  }),
  FlowRunStarted: ({ data: { version, startedBy, text } }) => ({
    text: withWords(`${ofVersion(version)} começou ${starts[startedBy]}`, text),
    icon: 'flow',
  }),
  FlowStepTaken: ({ data: { type, output, skipped } }) => ({
    text: skipped
      ? 'O fluxo passou por uma etiqueta que foi excluída: nada mudou'
      : `${steps[type] ?? 'O fluxo deu um passo'}${output === null ? '' : `: ${outputs[output]}`}`,
    icon: skipped ? 'trouble' : 'flow',
  }),
  FlowMessageRequested: ({ data: { content } }) => ({
    text: withWords('O fluxo pediu para enviar uma mensagem', messageLine(content)),
    icon: 'message',
  }),
  FlowFieldRequested: ({ data: { type, value } }) => ({
    text: `O fluxo pediu para guardar ${quoted(shownAnswer(type, value))} num campo do contato`,
    icon: 'flow',
  }),
  FlowLabelRequested: ({ data: { labelId, isLabelled } }, names) => ({
    text: `O fluxo pediu para ${isLabelled ? 'pôr' : 'tirar'} ${names.label(labelId)}`,
    icon: 'flow',
  }),
  FlowDelayStarted: ({ data: { until } }) => ({ text: `O fluxo espera até ${momentOf(until)}`, icon: 'flow' }),
  FlowAnswerAwaited: ({ data: { until, attempt } }) => ({
    text: `O fluxo ${attempt === undefined ? 'espera uma resposta' : 'perguntou de novo e espera'} até ${momentOf(until)}`,
    icon: 'flow',
  }),
  FlowAnswerReceived: ({ data: { text } }) => ({
    text: withWords('O contato respondeu ao fluxo', text),
    icon: 'message',
  }),
  FlowRequestAsked: ({ data: { until } }) => ({
    text: `O fluxo fez uma requisição e espera a resposta até ${momentOf(until)}`,
    icon: 'flow',
  }),
  FlowRequestAnswered: ({ data: { status, failure } }) => ({
    text:
      failure === null
        ? `A requisição do fluxo deu certo (${status})`
        : `A requisição do fluxo deu errado: ${failureWords(failure, status)}`,
    icon: failure === null ? 'flow' : 'trouble',
  }),
  FlowValueCalculated: ({ data: { variable, value, fault = 'syntax', about } }) => ({
    text:
      value === undefined
        ? `O fluxo não pôde calcular ${quoted(variable)}: ${faultWords(fault, about)}`
        : withWords(`O fluxo calculou ${quoted(variable)}`, shownAnswer('number', value)),
    icon: value === undefined ? 'trouble' : 'flow',
  }),
  FlowInputKept: ({ data: { text } }) => ({
    text: withWords('O contato escreveu durante a espera do fluxo', text),
    icon: 'message',
  }),
  FlowRunMovedAway: ({ data: { to } }, names) => ({
    text: `O fluxo continua com o contato unido ${names.contact(to)}`,
    icon: 'flow',
  }),
  FlowRunTakenOver: ({ data: { from } }, names) => ({
    text: `O fluxo continua aqui, vindo do contato unido ${names.contact(from)}`,
    icon: 'flow',
  }),
  FlowRunEnded: ({ data: { version, reason } }) => ({
    text: `${ofVersion(version)} ${runEnds[reason]}`,
    icon: troubles.has(reason) ? 'trouble' : 'flow',
  }),
  FlowsPaused: ({ data: { reason, starts, messages, withinSeconds } }) => ({
    text: `Os fluxos pararam com este contato: ${tooOften({ reason, count: reason === 'starts' ? starts : messages, withinSeconds })}. Talvez seja um robô`,
    icon: 'trouble',
  }),
  FlowStartWithheld: ({ data: { handedOverAt } }) => ({
    text: `Nenhum fluxo começou: o contato espera por uma pessoa desde ${momentOf(handedOverAt)}, até a conversa ser finalizada`,
    icon: 'flow',
  }),
  BotPaused: ({ data: { until, attendantId } }, names) => ({
    text: `${names.user(attendantId)} pausou o robô para este contato até ${until === null ? 'alguém retomar' : momentOf(until)}`,
    icon: 'flow',
  }),
  BotResumed: ({ data: { attendantId } }, names) => ({
    text: `${names.user(attendantId)} retomou o robô para este contato`,
    icon: 'flow',
  }),
  FlowsResumed: always('flow', 'Os fluxos podem começar de novo com este contato'),
  FlowCountsTakenOver: ({ data: { from } }, names) => ({
    text: `O que os fluxos fizeram há pouco com o contato unido ${names.contact(from)} conta aqui`,
    icon: 'flow',
  }),
  FlowFinishRequested: ({ data: { until } }) => ({
    text: `O fluxo pediu para finalizar a conversa; quem só agradece até ${momentOf(until)} não a reabre`,
    icon: 'flow',
  }),
  FlowThanked: always('flow', 'O contato só agradeceu: a conversa continua finalizada'),
  FlowFinishUndone: ({ data: { messageId } }) => ({
    text:
      messageId === null
        ? 'Um atendente assumiu a conversa que o fluxo finalizou'
        : 'O contato escreveu depois que o fluxo finalizou: a conversa espera por uma pessoa',
    icon: 'flow',
  }),
  OutOfHoursReplyRequested: always('flow', 'Nenhum fluxo respondeu à mensagem: fica para a resposta fora do horário'),
  FlowLinkOpened: always('flow', 'Um link da mensagem do fluxo foi aberto'),
}
