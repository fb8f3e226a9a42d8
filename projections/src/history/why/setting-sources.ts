import type { WhyField } from '@prosa/contracts/http/history'
import type { Category } from '@prosa/contracts/streams'

const of = <F extends string>(category: Category, labels: Readonly<Record<F, string>>, isPart?: true) =>
  Object.fromEntries(
    Object.entries(labels).map(([field, label]) => [field, { category, label, ...(isPart && { isPart }) }]),
  ) as Record<F, { category: Category; label: string; isPart?: true }>

/** Kinds whose id is the account's. */
export const kindsOfAccount = [
  'company',
  'openingHours',
  'flows',
  'label',
  'quickReply',
  'contactField',
  'webhook',
] as const

/** What an account sets, by the labels of `setting-values.ts`. */
export const settingSources = {
  company: of<WhyField<'company'>>('company', {
    name: 'Nome',
    email: 'E-mail',
    phone: 'Telefone',
    website: 'Site',
    address: 'Endereço',
    notifications: 'Notificações',
    analytics: 'Estatísticas',
  }),
  openingHours: of<WhyField<'openingHours'>>('openingHours', {
    sunday: 'Domingo',
    monday: 'Segunda',
    tuesday: 'Terça',
    wednesday: 'Quarta',
    thursday: 'Quinta',
    friday: 'Sexta',
    saturday: 'Sábado',
    timeZone: 'Fuso horário',
    holidays: 'Feriados',
    reply: 'Resposta fora do horário',
    replyText: 'Texto da resposta',
  }),
  flows: {
    default: { category: 'defaultFlow', label: 'Fluxo padrão' },
    order: { category: 'flowOrder', label: 'Ordem dos fluxos' },
  },
  label: of<WhyField<'label'>>('label', { name: 'Nome', colour: 'Cor' }, true),
  quickReply: of<WhyField<'quickReply'>>(
    'quickReply',
    { shortcut: 'Atalho', content: 'Conteúdo', status: 'Situação' },
    true,
  ),
  contactField: of<WhyField<'contactField'>>('contactField', { name: 'Nome', type: 'Tipo' }, true),
  webhook: of<WhyField<'webhook'>>(
    'webhook',
    { name: 'Nome', types: 'Eventos', personal: 'Dados pessoais', status: 'Situação' },
    true,
  ),
} as const
