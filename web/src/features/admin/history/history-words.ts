import type { HistoryQuery } from '@prosa/contracts/http/history'
import type { TimelineLinks } from '../../../components/history/timeline-links.ts'
import { recordThenParameters } from '../../../lib/past-addresses.ts'
import { adminTab } from '../../../lib/paths.ts'

export const groupNames: Record<NonNullable<HistoryQuery['group']>, string> = {
  all_but_readings: 'Tudo menos leituras',
  account: 'Contas',
  access: 'Acesso',
  purchase: 'Compras',
  erasedCharge: 'Cobranças de quem foi apagado',
  webhook: 'Webhook',
  plan: 'Planos',
  connection: 'Conexões',
  conversation: 'Conversas',
  automation: 'Fluxos',
  reading: 'Leituras',
  work: 'Trabalho parado',
}

export const actorNames = {
  user: 'Pessoas',
  admin: 'Administradores',
  webhook: 'Kiwify',
  whatsapp: 'WhatsApp',
  system: 'Sistema',
  flow: 'Fluxos',
} as const

export const adminLinks: TimelineLinks = {
  record: (registro) => adminTab('historico', { registro }),
  actor: (autor) => adminTab('historico', { autor }),
  asItWas: (em, record) => adminTab('historico', recordThenParameters(em, record)),
}
