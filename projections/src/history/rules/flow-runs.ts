import type { flowRunEvents } from '@prosa/contracts/events/automation'
import { maximumUnansweredMessages } from '@prosa/contracts/flows/flow-limits'
import type { StoredOf } from '@prosa/kernel/event-store/codec'
import { momentOf } from '../sentences/words.ts'
import { always, type Rules } from './rule.ts'

const starts: Record<StoredOf<'FlowRunStarted'>['data']['startedBy'], string> = {
  any_message: 'o gatilho da versão publicada é qualquer mensagem',
  keyword: 'o gatilho da versão publicada é uma palavra-chave, que a mensagem tem',
  first_contact: 'o gatilho da versão publicada é a primeira mensagem de um contato',
  out_of_hours: 'o gatilho da versão publicada é uma mensagem fora do horário de atendimento',
  label_set: 'o gatilho da versão publicada é uma etiqueta, que o contato recebeu',
  default_flow: 'o fluxo padrão recebe quem escreve pela primeira vez, se nenhum outro começa',
  flow: 'o outro fluxo chegou ao passo que leva a este',
  program: 'um programa com uma chave da conta pediu',
  attendant: 'quem atende pode começar um fluxo publicado sem o gatilho, se nenhum outro fala com o contato',
}

const ends: Partial<Record<StoredOf<'FlowRunEnded'>['data']['reason'], string>> = {
  accepted: 'quando uma pessoa assume a conversa, os fluxos param',
  silence: 'quem não responde no prazo, ou não tem um passo para isso, sai do fluxo',
  too_many_steps: 'um fluxo que anda sem esperar por ninguém é interrompido',
  possible_robot: 'acima do limite de começos ou de mensagens, os fluxos param até uma pessoa decidir',
  waits_for_person: 'quem espera por uma pessoa não é atendido por um fluxo',
  unanswered: `depois de ${maximumUnansweredMessages} mensagens sem nenhuma resposta, um fluxo é interrompido`,
}

const samePerson = 'contatos unidos são uma pessoa só'

export const flowRunRules = {
  FlowRunStarted: {
    words: ({ data: { startedBy, version } }) =>
      `${starts[startedBy]}; a conversa segue até o fim a versão ${version}, em que começou`,
  },
  FlowStepTaken: {
    words: ({ data: { type, skipped } }) => {
      if (skipped) return 'um passo com uma etiqueta excluída não muda nada, e o fluxo segue'
      return type === 'handover' ? 'depois deste passo nenhum fluxo responde, até a conversa ser finalizada' : null
    },
  },
  FlowFieldRequested: {
    words: always('o passo guarda neste campo a resposta do tipo que ele pede; o que estava no campo é trocado'),
  },
  FlowDelayStarted: { words: always('o tempo da espera está no passo da versão em que a conversa começou') },
  FlowAnswerAwaited: {
    words: ({ data: { until } }) =>
      `o prazo está no passo, ou nas configurações do fluxo; sem resposta até ${momentOf(until)}, o fluxo segue por “não respondeu” ou termina`,
  },
  FlowRequestAsked: {
    words: ({ data: { until } }) => `sem resposta até ${momentOf(until)}, o fluxo segue por “Deu errado”`,
  },
  FlowRequestAnswered: {
    words: ({ data: { failure } }) =>
      failure === null
        ? 'uma resposta de sucesso (2xx) segue por “Deu certo”'
        : 'o que não é uma resposta de sucesso (2xx) dentro dos limites segue por “Deu errado”',
  },
  FlowValueCalculated: {
    words: ({ data: { fault } }) =>
      fault === undefined
        ? 'a conta está no passo da versão em que a conversa começou; vale o que cada variável tem agora'
        : 'uma conta sem resultado segue por “Deu errado”, e a variável fica como estava',
  },
  FlowInputKept: { words: always('o que chega durante uma espera vale para a próxima pergunta') },
  FlowRunMovedAway: { words: always(samePerson) },
  FlowRunTakenOver: { words: always(`${samePerson}: o que um fluxo fazia com um deles continua`) },
  FlowCountsTakenOver: { words: always(`${samePerson}: os limites contam o que os fluxos fizeram com os dois`) },
  FlowRunEnded: { words: ({ data: { reason } }) => ends[reason] ?? null },
  FlowsPaused: {
    words: always(
      'acima deste limite os fluxos param, até a conversa ser finalizada ou alguém dizer que não é um robô',
    ),
  },
  FlowStartWithheld: { words: always('quem espera por uma pessoa não é atendido por um fluxo') },
  FlowsResumed: {
    words: always('finalizar a conversa, ou dizer que o contato não é um robô, libera os fluxos outra vez'),
  },
  BotPaused: {
    words: always('enquanto o robô está pausado nenhum fluxo começa com este contato; o que estava em andamento para'),
  },
  BotResumed: { words: always('o que o contato escreve depois disso pode começar um fluxo de novo') },
  OutOfHoursReplyRequested: {
    words: always('fora do horário cada mensagem tem uma resposta só: a do fluxo que a recebe, ou a automática'),
  },
  FlowFinishRequested: {
    words: ({ data: { until } }) =>
      `a conversa é finalizada se nada foi decidido sobre ela desde então e nenhuma pessoa a atende; até ${momentOf(until)}, quem só agradece não a reabre`,
  },
  FlowThanked: {
    words: always(
      'no tempo até o fluxo poder começar de novo, só um agradecimento é respondido uma vez, e a conversa continua finalizada',
    ),
  },
  FlowFinishUndone: {
    words: ({ data: { messageId } }) =>
      messageId === null
        ? 'o que uma pessoa assume nenhum fluxo finaliza mais'
        : 'qualquer outra resposta depois do fim espera por uma pessoa, a não ser que uma palavra-chave comece um fluxo',
  },
} satisfies Rules<keyof typeof flowRunEvents>
