import type {
  defaultFlowEvents,
  flowEvents,
  flowFolderEvents,
  flowOrderEvents,
  flowRunEvents,
  flowSecretEvents,
} from '../events/automation.ts'
import { calculationFault } from '../flows/calculation.ts'
import { menuOutputs } from '../flows/flow-document.ts'
import { flowEndReason } from '../flows/flow-end-reason.ts'
import { requestFailure, requestOutputs } from '../flows/request.ts'
import { answerTypes } from '../values/answers/answer-type.ts'
import { count, idField, oneOf, personalText, plainText, time, yesNo } from './field.ts'
import { connectionId, contentFields, messageId, publishedContent } from './message-fields.ts'
import { leftOut, type Publications, published } from './publication.ts'

const folderId = idField('folder', 'A pasta.')
const flowId = idField('flow', 'O fluxo.')
const flowName = personalText('Nome do fluxo.', 'Boas-vindas').optional()
const nodes = count('Caixas do desenho.', 'caixas', 7)
const nodesOf = ({ document }: { document: { nodes: readonly unknown[] } }) => ({ nodes: document.nodes.length })

export const publishedFlowFolders: Publications<typeof flowFolderEvents> = {
  FlowFolderCreated: published<'FlowFolderCreated'>()('flow-folder-created', 'Uma pasta de fluxos foi criada.', {
    folderId,
    isSample: yesNo('Veio com a conta, como exemplo.'),
    name: personalText('Nome da pasta.', 'Vendas').optional(),
  }),
  FlowFolderDescribed: published<'FlowFolderDescribed'>()('flow-folder-described', 'Uma pasta mudou de nome.', {
    folderId,
    name: personalText('Nome da pasta.', 'Vendas').optional(),
  }),
  FlowFolderDeleted: published<'FlowFolderDeleted'>()('flow-folder-deleted', 'Uma pasta foi apagada com seus fluxos.', {
    folderId,
  }),
}

export const publishedFlows: Publications<typeof flowEvents> = {
  FlowCreated: published<'FlowCreated'>()('flow-created', 'Um fluxo foi criado, copiado ou importado.', {
    flowId,
    folderId: folderId.nullable(),
    origin: oneOf(['new', 'copy', 'import', 'sample'], 'De onde veio.'),
    name: flowName,
  }),
  FlowRenamed: published<'FlowRenamed'>()('flow-renamed', 'Um fluxo mudou de nome.', { flowId, name: flowName }),
  FlowMoved: published<'FlowMoved'>()('flow-moved', 'Um fluxo mudou de pasta; nula: nenhuma.', {
    flowId,
    folderId: folderId.nullable(),
  }),
  FlowDraftKept: published<'FlowDraftKept'>()(
    'flow-draft-saved',
    'Um rascunho foi guardado.',
    { flowId, nodes },
    { of: ({ nodeCount }) => ({ nodes: nodeCount }) },
  ),
  FlowDraftSaved: published<'FlowDraftSaved'>()(
    'flow-draft-saved-in-log',
    'Um rascunho foi guardado (versões antigas do Prosa).',
    { flowId, nodes },
    { of: nodesOf },
  ),
  FlowPublished: published<'FlowPublished'>()(
    'flow-published',
    'O rascunho virou uma versão, ligada; execuções novas a seguem.',
    { flowId, version: count('A versão.', 'versão'), nodes },
    { of: nodesOf },
  ),
  FlowTurnedOn: published<'FlowTurnedOn'>()('flow-turned-on', 'Um fluxo publicado foi ligado.', { flowId }),
  FlowTurnedOff: published<'FlowTurnedOff'>()('flow-turned-off', 'Um fluxo foi desligado; execuções continuam.', {
    flowId,
  }),
  FlowDeleted: published<'FlowDeleted'>()('flow-deleted', 'Um fluxo foi apagado; execuções acabam.', { flowId }),
  FlowLinkBlocked: published<'FlowLinkBlocked'>()(
    'flow-link-blocked',
    'Quem administra bloqueou um link das mensagens do fluxo.',
    { flowId, linkId: idField('link', 'O link.') },
    { of: ({ token }) => ({ linkId: token }) },
  ),
  FlowLinkUnblocked: published<'FlowLinkUnblocked'>()(
    'flow-link-unblocked',
    'O link voltou a valer.',
    { flowId, linkId: idField('link', 'O link.') },
    { of: ({ token }) => ({ linkId: token }) },
  ),
}

export const publishedDefaultFlows: Publications<typeof defaultFlowEvents> = {
  DefaultFlowChosen: published<'DefaultFlowChosen'>()(
    'default-flow-chosen',
    'A empresa escolheu o fluxo que recebe contatos novos; nulo: nenhum.',
    { flowId: flowId.nullable() },
  ),
}

export const publishedFlowOrder: Publications<typeof flowOrderEvents> = {
  FlowOrderSet: published<'FlowOrderSet'>()(
    'flow-order-set',
    'A empresa ordenou os fluxos: entre os de mesmo gatilho responde o primeiro.',
    { flows: count('Quantos fluxos estão na ordem.', 'fluxos') },
    { of: ({ flowIds }) => ({ flows: flowIds.length }) },
  ),
}

export const publishedFlowSecrets: Publications<typeof flowSecretEvents> = {
  FlowSecretStored: leftOut('a secret of the account'),
  FlowSecretRemoved: leftOut('a secret of the account'),
}

const contactId = idField('contact', 'O contato com quem o fluxo conversa.')
const runId = idField('run', 'A execução.')
const ofRun = { contactId, runId, flowId, version: count('A versão do fluxo.', 'versão') }
const nodeId = idField('node', 'A caixa do desenho.')
const ofStep = { ...ofRun, step: count('Passo da execução, desde 1.', 'passos'), nodeId }
const reason = oneOf(['starts', 'messages'], 'O limite: inícios de fluxos ou mensagens.')

export const publishedRuns: Publications<typeof flowRunEvents> = {
  FlowRunStarted: published<'FlowRunStarted'>()('run-started', 'Um fluxo começou com um contato.', {
    ...ofRun,
    connectionId,
    startedBy: oneOf(
      [
        'any_message',
        'keyword',
        'first_contact',
        'out_of_hours',
        'label_set',
        'default_flow',
        'flow',
        'program',
        'attendant',
      ],
      'O que o começou; `program`: um programa com uma chave; `attendant`: quem atende.',
    ),
  }),
  FlowStepTaken: published<'FlowStepTaken'>()(
    'run-step-taken',
    'A execução passou por uma caixa.',
    {
      ...ofStep,
      nodeType: plainText('Tipo da caixa.', 'condition'),
      output: oneOf(
        ['true', 'false', 'answer', 'timeout', 'not_understood', ...menuOutputs, ...requestOutputs],
        'A saída; nula: só havia uma, ou nenhuma.',
      ).nullable(),
    },
    { of: ({ type }) => ({ nodeType: type }) },
  ),
  FlowMessageRequested: published<'FlowMessageRequested'>()(
    'run-message-requested',
    'A execução escreveu uma mensagem; `message-queued` segue.',
    { ...ofStep, messageId, connectionId, ...contentFields },
    { of: ({ content }) => publishedContent(content) },
  ),
  FlowLabelRequested: published<'FlowLabelRequested'>()(
    'run-label-requested',
    'A execução pôs ou tirou uma etiqueta.',
    {
      ...ofStep,
      labelId: idField('label', 'A etiqueta.'),
      isLabelled: yesNo('Pôs.'),
    },
  ),
  FlowFieldRequested: published<'FlowFieldRequested'>()(
    'run-field-requested',
    'A execução guardou uma resposta num campo do contato; `contact-field-set` segue.',
    { ...ofStep, fieldId: idField('field', 'O campo.'), fieldType: oneOf(answerTypes, 'O que o campo guarda.') },
    { of: ({ type }) => ({ fieldType: type }) },
  ),
  FlowDelayStarted: published<'FlowDelayStarted'>()('run-delay-started', 'A execução espera.', {
    ...ofStep,
    until: time('Até quando.'),
  }),
  FlowAnswerAwaited: published<'FlowAnswerAwaited'>()('run-answer-awaited', 'A execução espera uma resposta.', {
    ...ofStep,
    until: time('Até quando.'),
  }),
  FlowAnswerReceived: published<'FlowAnswerReceived'>()('run-answer-received', 'O contato respondeu.', {
    ...ofStep,
    messageId,
    text: personalText('A resposta.', 'Quero um orçamento').optional(),
  }),
  FlowRequestAsked: published<'FlowRequestAsked'>()(
    'run-request-asked',
    'A execução faz uma requisição a outro sistema e espera a resposta.',
    { ...ofStep, until: time('Até quando.') },
  ),
  FlowRequestAnswered: published<'FlowRequestAnswered'>()(
    'run-request-answered',
    'A requisição teve resposta, ou deu errado.',
    {
      ...ofStep,
      status: count('Status HTTP; nulo: nenhuma resposta.', 'status', 200).nullable(),
      failure: oneOf(requestFailure.options, 'Por que deu errado; nulo: deu certo.').nullable(),
      durationMs: count('Da primeira tentativa à última resposta.', 'milissegundos', 240),
      attempts: count('Tentativas.', 'tentativas'),
    },
  ),
  FlowValueCalculated: published<'FlowValueCalculated'>()('run-value-calculated', 'A execução fez uma conta.', {
    ...ofStep,
    value: personalText('O resultado; sem ele a conta não deu certo.', '31.00').optional(),
    fault: oneOf(calculationFault.options, 'Por que não deu certo.').optional(),
  }),
  FlowInputKept: published<'FlowInputKept'>()(
    'run-input-kept',
    'O contato escreveu durante uma espera; vale para a próxima pergunta.',
    { ...ofRun, messageId },
  ),
  FlowRunMovedAway: published<'FlowRunMovedAway'>()(
    'run-moved-away',
    'O contato foi unido a outro: a execução continua lá.',
    { ...ofRun, toContactId: idField('contact', 'Com quem continua.') },
    { of: ({ to }) => ({ toContactId: to }) },
  ),
  FlowRunTakenOver: published<'FlowRunTakenOver'>()(
    'run-taken-over',
    'A execução de um contato unido continua aqui.',
    { ...ofRun, fromContactId: idField('contact', 'Com quem estava.') },
    { of: ({ from }) => ({ fromContactId: from }) },
  ),
  FlowRunEnded: published<'FlowRunEnded'>()('run-ended', 'A execução acabou.', {
    ...ofRun,
    endedAt: time('Quando.'),
    reason: oneOf(flowEndReason.options, 'Como.'),
  }),
  FlowFinishRequested: published<'FlowFinishRequested'>()(
    'run-finish-requested',
    'A execução finalizou a conversa; `conversation-resolved` segue.',
    { ...ofStep, until: time('Até quando um agradecimento não reabre a conversa.') },
  ),
  FlowThanked: published<'FlowThanked'>()(
    'run-thanked',
    'Depois disso o contato só agradeceu: a conversa continua finalizada.',
    { ...ofStep, messageId },
  ),
  FlowFinishUndone: published<'FlowFinishUndone'>()(
    'run-finish-undone',
    'Depois disso o contato escreveu outra coisa (ou, nula, um atendente assumiu): a conversa espera por uma pessoa.',
    { ...ofRun, messageId: messageId.nullable() },
  ),
  FlowsPaused: published<'FlowsPaused'>()(
    'flows-paused',
    'Fluxos passaram de um limite com este contato (dois robôs?): param até `flows-resumed`.',
    {
      contactId,
      reason,
      pausedAt: time('Quando.'),
      starts: count('Inícios contados.', 'inícios'),
      messages: count('Mensagens contadas.', 'mensagens'),
      withinSeconds: count('Em quanto tempo.', 'segundos', 600),
      runId: runId.nullable(),
    },
  ),
  FlowStartWithheld: published<'FlowStartWithheld'>()(
    'run-start-withheld',
    'Um fluxo não começou, porque o contato espera por uma pessoa.',
    { contactId, flowId, handedOverAt: time('Desde quando espera.') },
  ),
  FlowsResumed: published<'FlowsResumed'>()('flows-resumed', 'Fluxos podem começar de novo.', {
    contactId,
    resumedAt: time('Quando.'),
    isFinished: yesNo('A conversa foi finalizada.').optional(),
  }),
  OutOfHoursReplyRequested: leftOut('asks contacts for the reply out of hours; message-queued says that it goes'),
  BotPaused: published<'BotPaused'>()(
    'bot-paused',
    'Quem atende pausou os fluxos com este contato; nulo: até `bot-resumed`.',
    { contactId, pausedAt: time('Quando.'), until: time('Até quando.').nullable() },
  ),
  BotResumed: published<'BotResumed'>()('bot-resumed', 'Quem atende retomou os fluxos com este contato.', {
    contactId,
    resumedAt: time('Quando.'),
  }),
  FlowCountsTakenOver: leftOut('moves counts of limits between merged contacts; contact-merged says that they merged'),
  FlowLinkOpened: published<'FlowLinkOpened'>()(
    'link-opened',
    'Um link enviado por um fluxo foi aberto.',
    { ...ofRun, nodeId, linkId: idField('link', 'O link.') },
    { of: ({ token }) => ({ linkId: token }) },
  ),
}
