/** Runs the embedded PostgreSQL of a folder and prints its address; with `writing` it inserts rows and prints their numbers. */
import pg from 'pg'
import { startEmbeddedPostgres } from '../src/embedded-postgres/embedded-postgres.ts'

const [dataDir = '', kind] = process.argv.slice(2)
const server = await startEmbeddedPostgres({ dataDir })
console.log(server.url)
setInterval(() => undefined, 1000)
if (kind === 'writing') {
  const client = new pg.Client(server.url)
  client.on('error', () => undefined)
  await client.connect()
  await client.query('create table row (n int)')
  for (let n = 1; ; n++) {
    await client.query('insert into row values ($1)', [n])
    console.log(n)
  }
}
