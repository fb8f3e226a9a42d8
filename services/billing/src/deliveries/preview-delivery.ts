import { ignoredNotes, unreadableNote, withoutPlanNote } from '@prosa/contracts/delivery-notes'
import type { WebhookPreview, WebhookPreviewChange } from '@prosa/contracts/http/accounts/webhook-logs'
import { transactionStatusOf } from '@prosa/contracts/values/kiwify'
import type { TimeSlice } from '@prosa/kernel/async/time-slice'
import type { Ports } from '@prosa/kernel/ports'
import { lacksPlan } from '@prosa/product/access/order-plan'
import type { Order } from '@prosa/product/access/order-state'
import type { Subscription } from '@prosa/product/access/subscription-state'
import { erasesNothing } from '../buyers/erase-buyer.ts'
import type { BillingHandlers } from '../handlers.ts'
import type { KiwifyBody } from '../kiwify/read-body.ts'
import type { SoldPlanOf } from '../plans/plan-days.ts'
import { purchaseReactors } from '../purchases/purchase-reactors.ts'
import { dryRun, type Touched } from './dry-run.ts'
import { bodyOf, type ReceivedDelivery } from './received-delivery.ts'

const shownStatus = (order: Order) => (order.kinds.size === 0 ? null : transactionStatusOf(order.kinds))

const orderChanges = (orders: Touched<Order>): WebhookPreviewChange[] =>
  [...orders].flatMap(([orderId, { before, after }]) => {
    const [was, is] = [shownStatus(before), transactionStatusOf(after.kinds)]
    const changes: WebhookPreviewChange[] = []
    if (was !== is) changes.push({ what: 'order_status', orderId, before: was, after: is })
    if (before.userId !== after.userId)
      changes.push({ what: 'order_owner', orderId, before: before.userId, after: after.userId })
    return changes
  })

const accessChanges = (subscriptions: Touched<Subscription>): WebhookPreviewChange[] =>
  [...subscriptions].flatMap(([userId, { before, after }]) =>
    before.endsAt === after.endsAt
      ? []
      : [{ what: 'access_end' as const, userId, before: before.endsAt, after: after.endsAt }],
  )

const noteOf = (body: KiwifyBody, orders: Touched<Order>): string | null => {
  if (body.state === 'order')
    return [...orders.values()].some(({ after }) => lacksPlan(after.plan)) ? withoutPlanNote : null
  return body.state === 'ignored' ? ignoredNotes[body.reason] : unreadableNote(body.field)
}

/** Runs the reactors on copies of current states. */
export const previewDelivery = async (
  received: ReceivedDelivery,
  handlers: BillingHandlers,
  { box, clock, soldPlanOf }: Pick<Ports, 'box' | 'clock'> & { soldPlanOf: SoldPlanOf },
  slice: TimeSlice,
): Promise<WebhookPreview> => {
  const run = dryRun(handlers, clock, slice)
  const findReceived = async () => received
  const reactors = purchaseReactors({ handlers: run.handlers, box, soldPlanOf, findReceived, erase: erasesNothing })
  await run.play({ type: 'DeliveryReprocessed', data: {}, stream: received.stream }, reactors)
  return {
    note: noteOf(bodyOf(received), run.orders),
    changes: [...orderChanges(run.orders), ...accessChanges(run.subscriptions)],
  }
}
