import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createTable, type Table } from '@prosa/kernel/consumers/projections/table'
import { openPool } from '@prosa/kernel/postgres/pool'
import { accountTable } from '@prosa/projections/account/table'
import { messageTable } from '@prosa/projections/chat-messages/table'
import { directoryTable } from '@prosa/projections/contact-directory/projection'
import { findContactsOfAll } from '@prosa/projections/contact-directory/queries'
import { contactTable } from '@prosa/projections/contact-list/table'
import { findMessagesOfAll } from '@prosa/projections/latest-messages/queries'
import { findTransactions } from '@prosa/projections/transactions/queries'
import { transactionTable } from '@prosa/projections/transactions/table'
import { findUsers } from '@prosa/projections/users/queries'
import { userTable } from '@prosa/projections/users/table'
import { findDeliveries } from '@prosa/projections/webhook-deliveries/queries'
import { webhookDeliveryTable } from '@prosa/projections/webhook-deliveries/table'
import type { Pool } from 'pg'
import { startEmbeddedPostgres } from '../src/embedded-postgres/embedded-postgres.ts'
import { median } from './measure.ts'

/** First page of each admin list among 100,000 rows, against an index-only probe. A list that scans a whole table fails. */
const rows = 100_000
const rounds = 300
const everyTransaction = {
  ...{ unclaimed: false, withoutPlan: false, hidden: false },
  sort: { by: 'date', descending: true },
} as const
const limit = 51
const maxTimes = 3

const make = async <Row extends object>(pool: Pool, table: Table<Row>, select: string) => {
  const db = await pool.connect()
  try {
    await createTable(db, table)
    const names = Array.from(select.matchAll(/ as (\w+)/g), ([, name]) => name)
    await db.query(
      `insert into ${table.name} (${names.join(', ')}) select ${select} from generate_series(1, ${rows}) n`,
    )
    await db.query(`vacuum analyze ${table.name}`)
  } finally {
    db.release()
  }
}

const id = `md5(n::text)::uuid::text`
const place = `lpad(n::text, 20, '0')`
const moment = `to_char(timestamp '2026-01-01' + n * interval '1 minute', 'YYYY-MM-DD"T"HH24:MI:SS.000"Z"')`

const withKeys = (keys: string, contact: string) =>
  `select d.place, c.id, u.id from (${keys}) d
   left join contact_list c on c.id = d.${contact} left join listed_user u on u.id = d.owner`

interface List {
  page: (pool: Pool) => Promise<readonly unknown[]>
  probe: string
}

/** Materialized, so that the planner uses this index. */
const byWord = (table: string, column: string, word: string, order: string, more = '') =>
  `with found as materialized (
     select ${order}${more} from ${table} where array_to_tsvector(string_to_array(${column}, ' ')) @@ '''${word}'':*'::tsquery)
   select ${order}${more} from found order by ${order} desc limit ${limit}`

const lists: Record<string, List> = {
  users: {
    page: (pool) => findUsers(pool, { limit }),
    probe: `select created_at, id from listed_user order by created_at desc, id desc limit ${limit}`,
  },
  'users by a name': {
    page: (pool) => findUsers(pool, { search: 'pessoa777', limit }),
    probe: byWord('listed_user', 'words', 'pessoa777', 'created_at'),
  },
  contacts: {
    page: (pool) => findContactsOfAll(pool, { limit }),
    probe: withKeys(
      `select id, owner, place from contact_directory where not is_absorbed order by place desc limit ${limit}`,
      'id',
    ),
  },
  'contacts by a name': {
    page: (pool) => findContactsOfAll(pool, { search: 'pessoa777', limit }),
    probe: withKeys(byWord('contact_directory', 'words', 'pessoa777', 'place', ', id, owner'), 'id'),
  },
  messages: {
    page: (pool) => findMessagesOfAll(pool, { words: [], limit }),
    probe: withKeys(
      `select contact_id, owner, place from chat_message order by place desc limit ${limit}`,
      'contact_id',
    ),
  },
  transactions: {
    page: (pool) => findTransactions(pool, { ...everyTransaction, limit }),
    probe: `select d.id, u.id from (
        select id, owner, created_at from kiwify_transaction where not is_hidden order by created_at desc, id desc limit ${limit}) d
      left join account u on u.id = d.owner`,
  },
  deliveries: {
    page: (pool) => findDeliveries(pool, { limit }),
    probe: `select place, id from webhook_delivery order by place desc limit ${limit}`,
  },
  'deliveries by an order': {
    page: (pool) => findDeliveries(pool, { search: 'P7777', limit }),
    probe: `select place from webhook_delivery where lower(order_ref) collate "C" between 'p7777' and 'p7777~' order by place desc limit ${limit}`,
  },
}

const timed = async (work: () => Promise<unknown>) => {
  const began = performance.now()
  await work()
  return performance.now() - began
}

const wholeTables = async (pool: Pool) => {
  await pool.query('select pg_stat_force_next_flush()')
  const { rows } = await pool.query<{ table: string; read: string }>(
    `select relname as table, seq_tup_read as read from pg_stat_user_tables order by 1`,
  )
  return new Map(rows.map(({ table, read }) => [table, Number(read)]))
}

const dataDir = await mkdtemp(join(tmpdir(), 'prosa-bench-'))
const postgres = await startEmbeddedPostgres({ dataDir })
const pool = openPool(postgres.url, { max: 1 })
let isSlow = false
try {
  await make(
    pool,
    userTable,
    `${id} as id, 'Pessoa' || n as first_name, 'Lima' as last_name, 'pessoa' || n || '@example.com' as email,
     false as is_email_confirmed, ${moment} as created_at, '{}'::text[] as roles, 'active' as subscription_status,
     ${moment} as subscription_end, true as is_trial, 'pessoa' || n || ' lima example com' as words`,
  )
  await make(
    pool,
    directoryTable,
    `${id} as id, ${id} as owner, ${place} as place, 'Pessoa ' || n as whatsapp_name, 'pessoa' || n as words,
     false as is_absorbed`,
  )
  await make(
    pool,
    contactTable,
    `${id} as id, ${id} as owner, 'Pessoa ' || n as name, '' as search, 'waiting' as service_status,
     ${moment} as last_activity, ${moment} as own_activity, 0 as unread_count, '' as seen_place`,
  )
  await make(
    pool,
    messageTable,
    `${id} || ':m' as key, ${id} as contact_id, 'm' as message_id, ${id} as owner, ${place} as place, 'contact' as sender,
     '{"kind":"text","text":"bom dia"}'::jsonb as content, ${moment} as timestamp, false as sent_elsewhere, false as is_automatic, false as is_flow`,
  )
  await make(
    pool,
    accountTable,
    `${id} as id, 'Pessoa' || n as first_name, 'Lima' as last_name, 'pessoa' || n || '@example.com' as email,
     false as is_email_confirmed, false as must_change_password, ${moment} as created_at, 'active' as subscription_status,
     ${moment} as subscription_end, true as is_trial, '{}'::text[] as roles`,
  )
  await make(
    pool,
    transactionTable,
    `'order' || n as id, ${id} as owner, 'P' || n as transaction_id, ${moment} as created_at, 'compra_aprovada' as event,
     9700 as amount_cents, 'Plano Pro' as product_name, 'approved' as status, 'pix' as payment_method, 'Pessoa ' || n as buyer_name,
     'pessoa' || n || '@example.com' as buyer_email, false as is_buyer_erased, false as is_hidden, 'p' || n as search,
     '[]'::jsonb as reports, false as is_erased_buyer_charged`,
  )
  await make(
    pool,
    webhookDeliveryTable,
    `'delivery' || n as id, ${place} as place, 'success' as status, 'approved' as endpoint, ${moment} as received_at,
     ${moment} as last_received_at, 0 as repeated, 1600 as bytes, ${moment} as expires_at, false as has_expired, 'applied' as outcome,
     'order_approved' as kind, 'order' || n as order_id, 'P' || n as order_ref, true as changed_order`,
  )
  console.log(`first page of ${limit} among ${rows} rows, medians of ${rounds} rounds`)
  for (const [name, { page, probe }] of Object.entries(lists)) {
    const [pages, probes]: [number[], number[]] = [[], []]
    if ((await page(pool)).length === 0) throw new Error(`${name} found nothing`)
    await pool.query({ name, text: probe })
    const before = await wholeTables(pool)
    for (let round = 0; round < rounds; round++) {
      probes.push(await timed(() => pool.query({ name, text: probe })))
      pages.push(await timed(() => page(pool)))
    }
    const after = await wholeTables(pool)
    const read = [...after].filter(([table, count]) => count > (before.get(table) ?? 0)).map(([table]) => table)
    if (read.length > 0) throw new Error(`${name} reads the whole of ${read.join(', ')}`)
    const times = median(pages.map((ms, round) => ms / (probes[round] ?? Number.NaN)))
    if (times > maxTimes) isSlow = true
    console.log(
      `${name}: ${median(pages).toFixed(2)} ms, the probe ${median(probes).toFixed(2)} ms: ${times.toFixed(2)} times (at most ${maxTimes})`,
    )
  }
} finally {
  await pool.end()
  await postgres.stop()
  await rm(dataDir, { recursive: true, force: true })
}
process.exitCode = isSlow ? 1 : 0
