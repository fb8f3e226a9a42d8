import type { Connection } from '@prosa/contracts/http/connections'
import { maxConnectionsRead, type OwnConnection } from '@prosa/contracts/values/lines'
import { selectList } from '@prosa/kernel/consumers/projections/table'
import type { Ports } from '@prosa/kernel/ports'
import type { Pool } from 'pg'
import { type ConnectionRow, connectionTable } from './table.ts'

export type Network = Connection['network']

/** The connections of one subscriber in the order in which they were added; before them, those that were removed and had a number, the last ones. */
export const findOwnConnections = async (pool: Pool, owner: string): Promise<OwnConnection[]> => {
  const { rows } = await pool.query<OwnConnection>({
    name: 'own connections',
    text: `select id as "connectionId", is_removed as "isRemoved", line is not distinct from 'open' as "isOpen", coalesce(numbers, '[]') as numbers
           from connection where owner = $1 and (not is_removed or numbers <> '[]')
           order by is_removed, added_at desc limit $2`,
    values: [owner, maxConnectionsRead],
  })
  return rows.toReversed()
}

/**
 * The connections of one subscriber as the screens show them, oldest first. `lastActivity` is that of the connection itself:
 * reading every message of every line again only for that time would double the work of the busiest path. Those that were
 * added without a choice of network are shown in `defaultNetwork`.
 */
export const readConnections =
  ({ pool, secrets, clock }: Pick<Ports, 'pool' | 'secrets' | 'clock'>, defaultNetwork: Network = 'whatsapp') =>
  async (owner: string): Promise<Connection[]> => {
    const { rows } = await pool.query<ConnectionRow>({
      name: 'connections of owner',
      text: `select ${selectList(connectionTable)} from connection where owner = $1 and not is_removed order by added_at`,
      values: [owner],
    })
    const toScan = rows.filter(({ status }) => status === 'qr_ready').map(({ id }) => id)
    const toType = rows.filter(({ hasPairingCode }) => hasPairingCode).map(({ id }) => id)
    const images = await secrets.getMany('qr', toScan)
    const codes = await secrets.getMany('pairing-code', toType)
    return rows.map(
      ({ id, name, network, status, statusReason, line, statusSince, qrDeadline, phone, lastActivity }) => ({
        id,
        name,
        status,
        statusReason,
        line,
        statusSince,
        qrCode: images.get(id) ?? null,
        qrDeadline,
        serverTime: clock.now(),
        phoneNumber: phone,
        phone,
        lastActivity,
        pairingCode: codes.get(id) ?? null,
        network: network ?? defaultNetwork,
      }),
    )
  }
