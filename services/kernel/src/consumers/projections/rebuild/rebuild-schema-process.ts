import pg from 'pg'
import { openPool, transaction } from '../../../postgres/pool.ts'
import { createRebuildSchema } from '../queries.ts'

const [url = ''] = process.argv.slice(2)
const connections = 8

const pool = openPool(url, { max: connections })
const clients = await Promise.all(Array.from({ length: connections }, () => pool.connect()))
for (const client of clients) {
  // Fills the connection's catalogue cache, as production does.
  await client.query('create temporary table declared (); drop table declared')
  await client.query(`select to_regclass('rebuild.nothing')`)
}
for (const client of clients) client.release()
process.send?.('ready')
process.once('message', async () => {
  const made = await Promise.allSettled(clients.map(() => transaction(pool, (db) => createRebuildSchema(db))))
  const refused = made.flatMap((each) => (each.status === 'rejected' ? [each.reason] : []))
  process.send?.(refused.map((error) => (error instanceof pg.DatabaseError ? error.code : String(error))))
  await pool.end()
  process.disconnect()
})
