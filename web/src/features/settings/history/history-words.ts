import type { TenantHistoryKind, tenantRecordKinds } from '@prosa/contracts/http/accounts/tenant-history'
import type { historyActors } from '@prosa/contracts/http/history'

export const kindNames: Readonly<Record<TenantHistoryKind, string>> = {
  contact: 'Contatos e conversas',
  run: 'Execuções de fluxos',
  flow: 'Fluxos',
  label: 'Etiquetas',
  quickReply: 'Respostas rápidas',
  hours: 'Horários',
  connection: 'Conexões',
  company: 'Empresa',
  plan: 'Plano e compras',
  account: 'Conta',
  integration: 'Integrações',
  reading: 'Leituras da equipe do Prosa',
}

export const actorNames: Readonly<Record<(typeof historyActors)[number], string>> = {
  user: 'Você',
  admin: 'Equipe do Prosa',
  whatsapp: 'WhatsApp',
  flow: 'Fluxos',
  webhook: 'Kiwify',
  system: 'Sistema',
}

export const recordNames: Readonly<Record<(typeof tenantRecordKinds)[number], string>> = {
  contact: 'Contato',
  run: 'Execução de um fluxo',
  flow: 'Fluxo',
  folder: 'Pasta de fluxos',
  label: 'Etiqueta',
  quickReply: 'Resposta rápida',
  connection: 'Conexão',
  order: 'Pedido',
}
