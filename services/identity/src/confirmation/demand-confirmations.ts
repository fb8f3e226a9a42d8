import { deriveId } from '@prosa/kernel/derive-id'
import type { Ports } from '@prosa/kernel/ports'
import type { Accounts } from '../accounts/accounts.ts'
import type { ConfirmationDemand } from './confirmation-demand.ts'

export type FindUnconfirmed = (pool: Ports['pool'], limit: number) => Promise<readonly string[]>

interface Deps {
  pool: Ports['pool']
  accounts: Pick<Accounts, 'users'>
  demand: ConfirmationDemand
  findUnconfirmed: FindUnconfirmed
}

const pageSize = 500

/** For accounts older than the rule. The read model lags, so a page without new users is the last. */
export const demandConfirmations = async (
  { pool, accounts: { users }, demand, findUnconfirmed }: Deps,
  signal: AbortSignal,
): Promise<void> => {
  const until = demand.ofEarlierAccount()
  if (until === undefined) return
  const asked = new Set<string>()
  for (;;) {
    const found = await findUnconfirmed(pool, asked.size + pageSize)
    const left = found.filter((userId) => !asked.has(userId))
    if (left.length === 0) return
    for (const userId of left) {
      if (signal.aborted) return
      asked.add(userId)
      const commandId = deriveId('demand confirmation', userId)
      const outcome = await users(
        userId,
        { type: 'DemandEmailConfirmation', data: { until } },
        {
          commandId,
          actor: { kind: 'system', id: 'confirmation-demand' },
          tenant: userId,
          causationId: commandId,
          correlationId: commandId,
        },
      )
      if (!outcome.ok) throw new Error(`the confirmation of an account could not be demanded: ${outcome.rejected}`)
    }
  }
}
