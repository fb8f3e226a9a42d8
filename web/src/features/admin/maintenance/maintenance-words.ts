import type { ReadModelReport, ReadModelState } from '@prosa/contracts/http/administration/operations'
import { count, plural } from '../../../lib/format/format.ts'
import type { StatusTone } from '../../../lib/format/status-tone.ts'

export const readModelNames: Readonly<Record<string, string>> = {
  account: 'Contas e acesso',
  'analytic-connections': 'Tabela de conexões para análise',
  'analytic-conversations': 'Tabela de conversas para análise',
  'analytic-messages': 'Tabela de mensagens para análise',
  'analytic-subscriptions': 'Tabela de assinaturas para análise',
  'api-keys': 'Chaves de programas',
  'chat-messages': 'Mensagens das conversas',
  company: 'Dados das empresas',
  'connection-names': 'Nomes das conexões',
  connections: 'Conexões',
  'contact-directory': 'Contatos de todas as contas',
  'contact-list': 'Lista de conversas',
  'contact-notes': 'Notas dos contatos',
  'contact-versions': 'Lista de conversas como era',
  'conversation-lines': 'Linhas nas conversas',
  'conversation-waits': 'Tempos de espera',
  'default-flow': 'Fluxo padrão',
  'flow-contacts': 'Contatos para a reprise de fluxos',
  'flow-folders': 'Pastas de fluxos',
  'flow-places': 'Onde está cada fluxo',
  'flow-requests': 'Requisições de fluxos em andamento',
  'flow-versions': 'Versões dos fluxos',
  flows: 'Fluxos',
  'flow-links': 'Links dos fluxos',
  'flow-runs': 'Execuções dos fluxos',
  'flow-statistics': 'Números dos fluxos',
  'flow-run-places': 'Execuções de fluxos',
  'flows-on': 'Fluxos ligados',
  'history-links': 'Ligações do histórico',
  'history-places': 'Linha do tempo do histórico',
  'history-reasons': 'Motivos do histórico',
  'hourly-activity': 'Movimento por hora',
  labels: 'Etiquetas',
  'contact-fields': 'Campos de contatos',
  'contact-field-values': 'Valores dos campos de contatos',
  media: 'Arquivos',
  'message-search': 'Busca nas mensagens',
  'monthly-totals': 'Totais por mês',
  'open-lines': 'Linhas abertas',
  'opening-hours': 'Horários de atendimento',
  'order-totals': 'Totais de vendas',
  'out-of-hours-flows': 'Fluxos fora do horário',
  'plan-days': 'Dias de cada plano',
  plans: 'Planos',
  'quick-replies': 'Respostas rápidas',
  'support-requests': 'Mensagens ao suporte',
  'tenant-contacts': 'Contatos de cada conta',
  'tenant-totals': 'Totais de contatos e mensagens',
  transactions: 'Transações',
  'unidentified-numbers': 'Números a consultar',
  usage: 'Uso do mês',
  'user-totals': 'Totais de usuários',
  users: 'Usuários',
  'webhook-deliveries': 'Avisos da Kiwify',
  webhooks: 'Webhooks das contas',
}

const reactorNames: Readonly<Record<string, string>> = {
  'apply-on-delivery-received': 'Aplicar os avisos da Kiwify',
  'assign-on-entitlement-claimed': 'Entregar compras a quem confirmou o e-mail',
  'assign-on-subscriber-remembered': 'Entregar renovações à conta certa',
  'attach-address-on-entitlement-claimed': 'Ligar o e-mail das compras à conta',
  'claim-on-email-confirmed': 'Procurar compras de um e-mail confirmado',
  'confirm-on-flow-draft-kept': 'Guardar o rascunho de um fluxo',
  'decide-on-work-retried': 'Levar adiante o que se decidiu aqui',
  'delete-on-photo-replaced': 'Apagar fotos que foram trocadas',
  'dispatch-on-message-queued': 'Enviar mensagens pelo WhatsApp',
  'end-runs': 'Encerrar execuções de fluxos e conexões excluídos',
  'end-sessions-on-credential-changed': 'Encerrar sessões depois da troca de senha',
  'empty-folders-on-flow-folder-deleted': 'Excluir os fluxos de pastas excluídas',
  'erase-media-on-user-erased': 'Apagar arquivos de contas excluídas',
  'erase-on-buyer-erased': 'Apagar dados de quem comprou sem conta',
  'erase-on-user-erased': 'Apagar conversas de contas excluídas',
  'flows-of-account': 'Criar e apagar os fluxos de cada conta',
  'forget-buyer-on-user-erased': 'Apagar dados de compra de contas excluídas',
  'forget-look-ups-on-contact-erased': 'Esquecer consultas de números apagados',
  'forget-on-contact-erased': 'Apagar dados de contatos apagados',
  'forget-on-delivery-expired': 'Apagar avisos vencidos da Kiwify',
  'forget-on-refusal-addresses-expired': 'Apagar de onde vieram avisos recusados',
  'forget-on-user-erased': 'Apagar dados de contas excluídas',
  'identify-numbers': 'Consultar de quem são os números adicionados',
  'keep-media-of-chat': 'Guardar arquivos das conversas',
  'keep-media-of-flows': 'Guardar arquivos dos fluxos',
  'finish-on-flow-finish-requested': 'Finalizar conversas que um fluxo finaliza',
  'mark-robots-on-flows-paused': 'Marcar possíveis robôs onde os fluxos param',
  'set-field-on-flow-field-requested': 'Guardar respostas em campos pelos fluxos',
  'label-on-flow-label-requested': 'Pôr e tirar etiquetas pelos fluxos',
  'mail-on-deliveries-refused': 'Avisar administradores de avisos recusados da Kiwify',
  'mail-on-email-changed': 'Avisar por e-mail da troca de endereço',
  'mail-on-email-unconfirmed': 'Mandar o link que confirma o e-mail',
  'mail-on-erased-buyer-charged': 'Avisar administradores de cobranças de quem foi apagado',
  'mail-on-password-reset-requested': 'Mandar o link de nova senha',
  'mail-on-support-requested': 'Mandar as mensagens ao suporte por e-mail',
  'mail-on-temporary-password-set': 'Avisar por e-mail da senha temporária',
  'mail-on-limit-warned': 'Avisar por e-mail que o limite do mês está perto',
  'mail-on-webhook-disabled': 'Avisar por e-mail de webhooks desativados',
  'queue-on-flow-message-requested': 'Pôr mensagens dos fluxos nas conversas',
  'rebuild-on-rebuild-requested': 'Pedir reconstruções',
  'receive-on-message-arrived': 'Receber mensagens do WhatsApp',
  'release-on-email-changed': 'Liberar endereços de e-mail trocados',
  'remember-connection-places': 'Lembrar onde estão as conexões',
  'remember-message-ids': 'Lembrar mensagens enviadas',
  'remove-on-user-erased': 'Remover conexões de contas excluídas',
  'remove-webhooks-on-user-erased': 'Remover webhooks de contas excluídas',
  'run-flows': 'Executar os fluxos de conversa',
  'settle-on-contact-absorbed': 'Juntar contatos da mesma pessoa',
  'settle-on-order-reported': 'Dar e tirar acesso conforme as compras',
  'start-trial-on-user-registered': 'Começar o período grátis',
  'supervise-on-connection-event': 'Manter as conexões ligadas',
  'tick-on-line-news': 'Registrar entregas e leituras',
}

const timerNames: Readonly<Record<string, string>> = {
  'continue-run': 'Retomar execuções de fluxos na hora marcada',
  'end-access': 'Encerrar o acesso no fim do período',
  'expire-delivery': 'Apagar avisos da Kiwify no prazo',
  'expire-refusal-addresses': 'Apagar no prazo de onde vieram avisos recusados',
  'report-refused': 'Relatar avisos recusados da Kiwify',
}

/** 'contact-list' → 'Lista de conversas'; unknown names stay. */
export const readModelName = (name: string): string => readModelNames[name] ?? name

/** `worker` is `reactor …`, `timer …` or `projection …`. */
export const workerName = (worker: string): string => {
  const [kind, name = ''] = worker.split(/ (.*)/s)
  if (kind === 'projection') return `Manter em dia: ${readModelName(name)}`
  return (kind === 'timer' ? timerNames[name] : reactorNames[name]) ?? worker
}

const stateWords: Record<ReadModelState, { label: string; tone: StatusTone }> = {
  current: { label: 'Em dia', tone: 'good' },
  behind: { label: 'Alcançando o registro', tone: 'busy' },
  requested: { label: 'Na fila para reconstruir', tone: 'info' },
  rebuilding: { label: 'Reconstruindo', tone: 'info' },
}

/** Parked tenants see stale data, so the state shows them. */
export const stateOf = ({ state, parkedTenants }: Pick<ReadModelReport, 'state' | 'parkedTenants'>) =>
  state === 'current' && parkedTenants > 0
    ? { label: 'Parada para algumas contas', tone: 'bad' as const }
    : stateWords[state]

/** 75 → 'faltam cerca de 2 min' */
const left = (seconds: number): string => {
  if (seconds < 60) return 'falta menos de 1 min'
  const minutes = Math.ceil(seconds / 60)
  if (minutes < 60) return `faltam cerca de ${minutes} min`
  const hours = Math.round(minutes / 60)
  return `${hours === 1 ? 'falta' : 'faltam'} cerca de ${plural(hours, 'hora', 'horas')}`
}

/** Without an estimate no time is shown. */
export const restOf = ({ percent, secondsLeft }: ReadModelReport['progress'] & object): string => {
  if (percent >= 100) return 'terminando'
  return secondsLeft === null ? 'calculando o tempo' : left(secondsLeft)
}

export const lagOf = (lag: number, measure: 'events' | 'bytes'): string =>
  lag === 0 ? '—' : measure === 'events' ? plural(lag, 'evento', 'eventos') : `${count(Math.ceil(lag / 1024))} kB`
