import type { automationEvents } from '@prosa/contracts/events/automation'
import type { chatEvents, contactKeyEvents, openingHoursEvents } from '@prosa/contracts/events/contacts'
import type { identityEvents } from '@prosa/contracts/events/identity'
import type { operationsEvents } from '@prosa/contracts/events/operations'
import type { connectionEvents, mediaEvents } from '@prosa/contracts/events/sessions'
import type { webhookEvents } from '@prosa/contracts/events/webhooks'
import type { Stored, StoredOf } from '@prosa/kernel/event-store/codec'
import { momentOf } from '../sentences/words.ts'
import { always, type Facts, type Rules } from './rule.ts'

/** The drop that this opening ended; a restart of the protocol (515) is none. */
export const dropBefore = (earlier: readonly Stored[]): StoredOf<'LineDropped'> | undefined => {
  const last = earlier.findLast(
    ({ type }) => type === 'LineDropped' || type === 'LineOpened' || type === 'NumberLinked',
  )
  if (last?.type !== 'LineDropped') return undefined
  const opened = earlier.findLastIndex(({ type }) => type === 'LineOpened' || type === 'NumberLinked')
  return earlier
    .slice(opened + 1)
    .find((event): event is StoredOf<'LineDropped'> => event.type === 'LineDropped' && event.data.code !== 515)
}

const counted = (count: number, one: string, many: string) => `${count} ${count === 1 ? one : many}`

const reopened = (event: StoredOf<'LineOpened'>, facts: Facts): string => {
  const drop = dropBefore(facts.earlier(event.stream))
  if (!drop) return 'o celular autorizou, e o WhatsApp abriu a linha'
  const away = `esteve fora de ${momentOf(drop.metadata.recordedAt)} a ${momentOf(event.metadata.recordedAt)}`
  if (!facts.missed) return away
  const { arrived, onPhone, isPartial } = facts.missed
  return [
    away,
    arrived === 0
      ? 'ninguém escreveu nesse tempo'
      : `${isPartial ? 'ao menos ' : ''}${counted(arrived, 'mensagem desse tempo foi buscada', 'mensagens desse tempo foram buscadas')} depois`,
    onPhone === 0
      ? 'nenhum arquivo ficou só no celular'
      : counted(onPhone, 'arquivo ficou só no celular', 'arquivos ficaram só no celular'),
  ].join('; ')
}

export const erasedRule = always('apagar destrói a chave dos dados pessoais: nem o histórico os mostra mais')

export const sessionRules = {
  LineOpened: { fromRecent: true, words: reopened },
  LineDropped: { words: always('o Prosa reconecta sozinho; o WhatsApp guarda o que chega nesse tempo') },
  LinkingExpired: { words: always('cada QR Code vale pouco tempo; peça outro') },
  ConnectionReplaced: {
    words: always('o WhatsApp aceita um só programa por aparelho conectado; o Prosa não toma o lugar de volta'),
  },
  ConnectionRefused: { words: always('o Prosa não insiste quando o WhatsApp recusa um número: alguém precisa agir') },
  NumberUnlinked: { words: always('quem desconecta pelo celular apaga a autorização: é preciso um QR Code novo') },
  ConnectionDisconnected: { words: always('desconectar apaga a autorização: é preciso um QR Code novo') },
  ConnectionRemoved: { words: always('uma conexão excluída não volta; as conversas ficam') },
  NumberLinked: { words: always('quem leu o QR Code, ou escreveu o código, autorizou o Prosa no celular') },
  MediaErased: { words: erasedRule },
} satisfies Rules<keyof typeof connectionEvents | keyof typeof mediaEvents>

export const identityRules = {
  EmailClaimed: { words: always('um endereço de e-mail é de uma só conta') },
  EmailReleased: { words: always('um endereço que a conta não usa mais pode ser de outra') },
  UserErased: { words: erasedRule },
  TermsAccepted: { words: always('a versão aceita é a que estava publicada; uma versão nova é perguntada de novo') },
  EmailChanged: { words: always('um endereço novo precisa ser confirmado de novo') },
  EmailConfirmed: { words: always('quem abre o link mandado ao endereço prova que lê os e-mails dele') },
  TemporaryPasswordSet: { words: always('uma senha provisória precisa ser trocada antes de tudo') },
  RoleGranted: {
    words: ({ data }) =>
      data.byAdministrator ? 'dado por quem administra' : 'a configuração do servidor lista este endereço',
  },
  RoleRevoked: {
    words: ({ metadata: { actor } }) =>
      actor.kind === 'admin' ? 'tirado por quem administra' : 'a configuração do servidor não lista mais este endereço',
  },
} satisfies Rules<keyof typeof identityEvents>

export const flowRules = {
  FlowPublished: {
    words: always('publicar põe a versão em uso e ativa o fluxo; quem já começou segue na versão em que começou'),
  },
  FlowTurnedOn: { words: always('um fluxo ativo começa quando o gatilho da versão publicada acontece') },
  FlowTurnedOff: { words: always('um fluxo inativo não começa mais; o que já começou segue até o fim') },
  FlowDeleted: { words: always('excluir um fluxo termina também o que já começou') },
  DefaultFlowChosen: { words: always('o fluxo padrão começa com um contato novo, se nenhum outro fluxo começa') },
  FlowOrderSet: { words: always('entre fluxos de mesmo gatilho responde o primeiro da ordem') },
} satisfies Rules<keyof typeof automationEvents>

export const openingHoursRules = {
  OpeningHoursSet: {
    words: always('vale para as mensagens que chegam a partir de então; um feriado vale mais que o dia da semana'),
  },
  OutOfHoursReplyTurnedOn: {
    words: always('uma resposta por período fechado, a quem escreve fora do horário e nenhum fluxo respondeu'),
  },
} satisfies Rules<keyof typeof openingHoursEvents>

const oneContact = always('um endereço do WhatsApp leva a um só contato de cada conta')

export const chatRules = {
  ContactKeyClaimed: { words: oneContact },
  ContactKeyMoved: { words: oneContact },
  ContactKeyReleased: { words: always('quem escrever deste endereço será um contato novo') },
  ChatErased: { words: erasedRule },
  MessageSent: { words: always('um traço: o servidor do WhatsApp aceitou a mensagem') },
  MessageDelivered: { words: always('dois traços: o aparelho do contato avisou que recebeu') },
  MessageRead: { words: always('dois traços azuis: o aparelho do contato avisou que a conversa foi aberta') },
  MessageQueued: { words: always('um relógio: a mensagem espera a conexão com o WhatsApp') },
  MessageFailed: { words: always('quem atende pode tentar de novo') },
} satisfies Rules<keyof typeof chatEvents | keyof typeof contactKeyEvents>

export const operationsRules = {
  WorkParked: { words: always('o que vem depois na mesma fila espera por uma decisão; o resto segue') },
  WebhookDisabled: { words: always('um webhook desativado não recebe nada até alguém o religar') },
} satisfies Rules<keyof typeof operationsEvents | keyof typeof webhookEvents>
