import type { Connection } from '@prosa/contracts/http/connections'
import { maxConnectionsRead, type OwnConnection } from '@prosa/contracts/values/lines'
import { selectList } from '@prosa/kernel/consumers/projections/table'
import type { Ports } from '@prosa/kernel/ports'
import type { Pool } from 'pg'
import { type ConnectionRow, connectionTable } from './table.ts'

export type Network = Connection['network']

/** In order of adding, after the latest removed ones with a number. */
export const findOwnConnections = async (pool: Pool, tenant: string): Promise<OwnConnection[]> => {
  const { rows } = await pool.query<OwnConnection>({
    name: 'own connections',
    text: `select id as "connectionId", is_removed as "isRemoved", line is not distinct from 'open' as "isOpen", coalesce(numbers, '[]') as numbers
           from connection where owner = $1 and (not is_removed or numbers <> '[]')
           order by is_removed, added_at desc limit $2`,
    values: [tenant, maxConnectionsRead],
  })
  return rows.toReversed()
}

/** Ids, of removed ones too. */
export const findConnectionsEver = async (pool: Pool, tenant: string): Promise<string[]> => {
  const { rows } = await pool.query<{ id: string }>({
    name: 'connections ever of tenant',
    text: 'select id from connection where owner = $1 order by added_at',
    values: [tenant],
  })
  return rows.map(({ id }) => id)
}

/** Oldest first. `lastActivity` ignores messages: following all of them would double the busiest path. */
export const readConnections =
  ({ pool, secrets, clock }: Pick<Ports, 'pool' | 'secrets' | 'clock'>, defaultNetwork: Network = 'whatsapp') =>
  async (tenant: string): Promise<Connection[]> => {
    const { rows } = await pool.query<ConnectionRow>({
      name: 'connections of tenant',
      text: `select ${selectList(connectionTable)} from connection where owner = $1 and not is_removed order by added_at`,
      values: [tenant],
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
