import { type FlowStart, type FlowTest, textsOf } from '@prosa/contracts/flows/flow-document'
import { maximumUnansweredMessages } from '@prosa/contracts/flows/flow-limits'
import { quoted } from '@prosa/contracts/flows/node-name'
import type { FlowRun, FlowRunDetail } from '@prosa/contracts/http/flow-runs'
import { count } from '../../lib/format/format.ts'
import { listed } from './node-words.ts'

export type EndReason = NonNullable<FlowRun['reason']>

/** Names by id; undefined if deleted. */
export interface FlowNames {
  label: (id: string) => string | undefined
  flow: (id: string) => string | undefined
  connection: (id: string) => string | undefined
  field: (id: string) => string | undefined
}

export const endReasonNames: Record<EndReason, string> = {
  completed: 'Chegou ao fim',
  handed_over: 'Passou para uma pessoa',
  went_on: 'Seguiu em outro fluxo',
  accepted: 'Conversa aceita',
  silence: 'Sem resposta',
  flow_deleted: 'Fluxo excluído',
  contact_merged: 'Contato unido a outro',
  contact_erased: 'Contato apagado',
  connection_removed: 'Número removido',
  too_many_steps: 'Passos demais',
  stopped: 'Interrompida',
  possible_robot: 'Possível robô',
  unanswered: 'Mensagens demais sem resposta',
  waits_for_person: 'Espera por uma pessoa',
}

export const endReasonSentences: Record<EndReason, string> = {
  completed: 'O fluxo chegou ao fim.',
  handed_over: 'O fluxo passou a conversa para uma pessoa. Nenhum outro começa até ela ser finalizada.',
  went_on: 'A conversa seguiu em outro fluxo.',
  accepted: 'Uma pessoa aceitou a conversa, e o fluxo terminou.',
  silence: 'O contato ficou tempo demais sem responder, e o fluxo terminou.',
  flow_deleted: 'O fluxo foi excluído, e o que estava em andamento terminou.',
  contact_merged: 'O contato foi unido a outro, e o fluxo terminou para este.',
  contact_erased: 'O contato foi apagado, e o fluxo terminou.',
  connection_removed: 'O número de WhatsApp da conversa foi removido, e o fluxo terminou.',
  too_many_steps: 'O fluxo deu passos demais sem esperar nem perguntar, e foi interrompido.',
  stopped: 'O fluxo foi interrompido por alguém da equipe.',
  possible_robot:
    'Os fluxos começaram ou escreveram vezes demais em pouco tempo. O contato pode ser um robô: a conversa espera por uma pessoa.',
  unanswered: `O fluxo enviou ${maximumUnansweredMessages} mensagens sem nenhuma resposta do contato, e terminou. A conversa espera por uma pessoa.`,
  waits_for_person: 'Outro fluxo passou a conversa para uma pessoa, e este terminou.',
}

const startedBySentences: Record<string, string> = {
  any_message: 'O contato escreveu, e o fluxo começou.',
  keyword: 'O contato escreveu uma palavra-chave, e o fluxo começou.',
  first_contact: 'O contato escreveu pela primeira vez, e o fluxo começou.',
  out_of_hours: 'O contato escreveu fora do horário, e o fluxo começou.',
  label_set: 'O contato recebeu a etiqueta, e o fluxo começou.',
  default_flow: 'Um contato novo escreveu: é o fluxo padrão, e começou.',
  flow: 'Outro fluxo continuou neste.',
  program: 'Um programa começou o fluxo, com uma chave.',
}

export const startedBySentence = (startedBy: FlowRunDetail['startedBy']): string =>
  startedBySentences[startedBy] ?? 'O fluxo começou.'

const nameOrGone = (name: string | undefined, gone: string) => (name === undefined ? gone : quoted(name))

/** 'a etiqueta “VIP”'; also for deleted or unset labels. */
export const labelWords = (id: string | null, names: FlowNames): string =>
  id === null ? 'uma etiqueta ainda não escolhida' : `a etiqueta ${nameOrGone(names.label(id), 'que foi excluída')}`

/** 'o fluxo “Vendas”'; also for deleted or unset flows. */
export const flowWords = (id: string | null, names: FlowNames): string =>
  id === null ? 'um fluxo ainda não escolhido' : `o fluxo ${nameOrGone(names.flow(id), 'que foi excluído')}`

/** Completes 'Começa quando …'. */
export const startWords = (start: FlowStart, names: FlowNames): string => {
  switch (start.kind) {
    case 'any_message':
      return 'o contato escreve qualquer mensagem'
    case 'keyword':
      return start.match === 'equals'
        ? `o contato escreve só ${listed(start.words)}`
        : `a mensagem do contato contém ${listed(start.words)}`
    case 'first_contact':
      return 'o contato escreve pela primeira vez'
    case 'out_of_hours':
      return 'o contato escreve fora do horário de atendimento'
    case 'label_set':
      return `o contato recebe ${labelWords(start.labelId, names)}`
  }
}

const variableWords = (variable: string): string => {
  if (variable === 'resposta') return 'a última resposta'
  if (variable === 'nome') return 'o nome do contato'
  return variable === 'empresa' ? 'o nome da empresa' : `a resposta guardada em ${quoted(variable)}`
}

const comparisons = { equal: 'é igual a', above: 'é maior que', below: 'é menor que' } as const

/** Completes 'Se …'. */
export const testWords = (test: FlowTest, names: FlowNames): string => {
  switch (test.kind) {
    case 'equals':
      return `${variableWords(test.variable)} é ${listed(textsOf(test))}`
    case 'contains':
      return `${variableWords(test.variable)} contém ${listed(textsOf(test))}`
    case 'matches':
      return `${variableWords(test.variable)} segue o padrão ${quoted(test.pattern)}`
    case 'number':
      return `${variableWords(test.variable)} ${comparisons[test.comparison]} ${count(test.value)}`
    case 'yes':
      return `${variableWords(test.variable)} quer dizer sim`
    case 'no':
      return `${variableWords(test.variable)} quer dizer não`
    case 'open':
      return 'a empresa está aberta'
    case 'label':
      return `o contato tem ${labelWords(test.labelId, names)}`
  }
}

const fileKinds = { image: 'Imagem', video: 'Vídeo', audio: 'Áudio', document: 'Documento' } as const

/** 'Imagem “cardapio.jpg”' */
export const fileWords = ({ kind, fileName }: { kind: keyof typeof fileKinds; fileName: string | null }): string =>
  fileName === null || fileName === '' ? fileKinds[kind] : `${fileKinds[kind]} ${quoted(fileName)}`
