import type { FlowDocument } from '@prosa/contracts/flows/flow-document'
import { Refused, refuse } from '@prosa/kernel/http/problem'
import type { FlowDeps } from '../flow-deps.ts'

/** Refunds the budget if no version resulted; charges if the log was unreachable, as the outcome is unknown. */
export const spendingOnVersion = async <O extends { events: readonly unknown[] }>(
  { spending }: Pick<FlowDeps, 'spending'>,
  tenant: string,
  document: FlowDocument,
  publish: () => Promise<O>,
): Promise<O> => {
  const bytes = Buffer.byteLength(JSON.stringify(document))
  if (!(await spending.spendToday(tenant, 'publishedBytesPerDay', bytes)))
    throw new Refused('versions_of_day_used_up', undefined, spending.secondsUntilTomorrow())
  if (!(await spending.spendForGood(tenant, 'publishedBytesPerTenant', bytes))) {
    await spending.takeBackToday(tenant, 'publishedBytesPerDay', bytes)
    throw refuse('versions_full')
  }
  const takeBack = async () => {
    await spending.takeBackToday(tenant, 'publishedBytesPerDay', bytes)
    await spending.takeBackForGood(tenant, 'publishedBytesPerTenant', bytes)
  }
  try {
    const outcome = await publish()
    if (outcome.events.length === 0) await takeBack()
    return outcome
  } catch (error) {
    if (error instanceof Refused) await takeBack()
    throw error
  }
}
