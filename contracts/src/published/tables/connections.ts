import { z } from 'zod'
import type { EventType } from '../../events/all-events.ts'
import { count, field, idField, oneOf, personalText, time, yesNo } from '../field.ts'
import { column, publishedTable, type RowOf } from './published-table.ts'

const added = ['ConnectionAdded'] as const satisfies EventType[]
const online = ['LineOpened'] as const satisfies EventType[]
const ends = [
  'LineDropped',
  'ConnectionReplaced',
  'ConnectionRefused',
  'NumberUnlinked',
  'ConnectionDisconnected',
  'ConnectionRemoved',
] as const satisfies EventType[]

export const connectionDaysTable = publishedTable(
  'connections',
  'Uma linha por conexão e dia de São Paulo, de quando foi criada até ser apagada: quanto tempo esteve no ar.',
  ['id', 'day'],
  {
    id: column(added, idField('connection', 'A conexão: um número de WhatsApp da empresa.')),
    tenant: column(added, idField('account', 'A empresa.')),
    day: column(
      [...added, ...online, ...ends],
      field(z.iso.date(), { description: 'O dia, em São Paulo.', unit: 'AAAA-MM-DD', example: '2026-11-27' }),
    ),
    network: column(
      added,
      oneOf(['whatsapp', 'simulator'], '`simulator`: telefones simulados, para testes; nulo: o padrão.').nullable(),
    ),
    observedSeconds: column(
      [...added, 'ConnectionRemoved'],
      count('Quanto do dia a conexão existia, até agora.', 'segundos', 86_400),
    ),
    onlineSeconds: column([...online, ...ends], count('Quanto disso esteve no ar.', 'segundos', 84_000)),
    interruptions: column(ends, count('Quantas vezes saiu do ar sem que a empresa o pedisse.', 'vezes')),
    isComplete: column(added, yesNo('O dia acabou, ou a conexão: a linha não muda mais.')),
    updatedAt: column([...added, ...online, ...ends], time('Até quando a linha conta.')),
    name: column(added, personalText('O nome da conexão, como está agora.', 'Balcão').nullable().optional()),
  },
)

export type PublishedConnectionDay = RowOf<typeof connectionDaysTable>
