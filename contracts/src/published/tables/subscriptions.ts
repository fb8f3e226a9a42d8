import type { EventType } from '../../events/all-events.ts'
import { count, idField, oneOf, plainText, time } from '../field.ts'
import { column, publishedTable, type RowOf } from './published-table.ts'

const begins = ['TrialStarted', 'AccessGranted', 'AccessSet', 'AccessRevoked'] as const satisfies EventType[]
const ends = ['TrialWithheld', 'TrialEnded', 'AccessEnded', 'SubscriberErased'] as const satisfies EventType[]

export const periodKinds = ['trial', 'paid', 'granted'] as const
export const endReasons = [
  'expired',
  'converted',
  'refund',
  'chargeback',
  'moved',
  'withheld',
  'removed',
  'erased',
] as const

export const subscriptionsTable = publishedTable(
  'subscriptions',
  'Uma linha por período de acesso de uma empresa: o teste, o tempo pago sem interrupção, o concedido.',
  ['id'],
  {
    id: column(begins, plainText('O período: o id do evento que o começou.', '0b6f6c1e-6a0e-4f0e-9d57-1f6f0e0c4a11')),
    tenant: column(begins, idField('account', 'A empresa.')),
    number: column(begins, count('Qual da empresa é: 1 é o primeiro.', 'períodos')),
    kind: column(begins, oneOf(periodKinds, 'De onde vem o acesso; `granted`: de quem administra.')),
    startedAt: column(begins, time('Quando começou.')),
    endsAt: column([...begins, 'RenewalCancelled'], time('Até quando vai, ou ia.')),
    endedAt: column([...begins, ...ends], time('Quando acabou; nulo: vale.').nullable()),
    endReason: column(
      [...begins, ...ends],
      oneOf(
        endReasons,
        '`converted`: outro acesso o seguiu sem pausa; `moved`: o pedido era de outra empresa; `withheld`: o endereço já teve um teste; `erased`: a conta foi apagada.',
      ).nullable(),
    ),
    productId: column(
      ['AccessGranted'],
      plainText('O produto na Kiwify que foi pago por último.', '6f1d2c30-0000-11f1-9238-450795acb5a2').nullable(),
    ),
    payments: column(['AccessGranted'], count('Pedidos pagos nele.', 'pedidos')),
    cancelledAt: column(
      ['RenewalCancelled', 'AccessGranted', 'AccessSet'],
      time('Quando a renovação foi cancelada; nulo: não foi, ou voltou.').nullable(),
    ),
    updatedAt: column([...begins, ...ends, 'RenewalCancelled'], time('Quando a linha mudou.')),
  },
)

export type PublishedSubscription = RowOf<typeof subscriptionsTable>
