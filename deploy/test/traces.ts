import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Pool } from 'pg'

/** Stable middle of the base64 for each of the three alignments. */
const base64Forms = (bytes: Buffer): string[] =>
  [0, 1, 2].map((shift) => {
    const whole = Buffer.concat([Buffer.alloc(shift), bytes, Buffer.alloc(3)]).toString('base64')
    return whole.slice(4, Math.floor((shift + bytes.length) / 3) * 4)
  })

const formsOf = (text: string): string[] => {
  const bytes = Buffer.from(text)
  const escaped = JSON.stringify(text)
    .slice(1, -1)
    .replace(/[^ -~]/g, (letter) => `\\u${letter.charCodeAt(0).toString(16).padStart(4, '0')}`)
  return [...new Set([text, escaped, bytes.toString('hex'), ...base64Forms(bytes)])]
}

export const tracesOf = (texts: readonly string[], searched: string | Buffer): string[] =>
  texts.filter((text) => formsOf(text).some((form) => searched.includes(form)))

/** Rows as text by table (`es.event`, `public.contact`, …); `without` names schemas. */
export const dumpOf = async (pool: Pool, without: readonly string[] = []): Promise<Map<string, string>> => {
  const { rows: tables } = await pool.query<{ name: string }>(
    `select format('%I.%I', schemaname, tablename) as name from pg_tables
     where schemaname not in ('pg_catalog', 'information_schema') and schemaname <> all($1)`,
    [without],
  )
  const dump = new Map<string, string>()
  for (const { name } of tables) {
    const { rows } = await pool.query<{ row: string }>(`select t::text as row from ${name} t`)
    dump.set(name, rows.map(({ row }) => row).join('\n'))
  }
  return dump
}

/** Bytes of the database files after VACUUM FULL. */
export const filesOf = async (pool: Pool): Promise<Buffer> => {
  await pool.query('vacuum full')
  await pool.query('checkpoint')
  const { rows } = await pool.query<{ folder: string }>(
    `select current_setting('data_directory') || '/base/' || oid as folder
     from pg_database where datname = current_database()`,
  )
  const folder = rows[0]?.folder ?? ''
  return Buffer.concat(await Promise.all((await readdir(folder)).map((file) => readFile(join(folder, file)))))
}
