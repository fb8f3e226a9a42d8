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

/** Of four bytes of the text. */
const slotOf = (four: number) => Math.imul(four, 0x9e3779b1) >>> 16

/** The texts with one of their forms inside. One pass for all: a thousand texts have six thousand forms. */
export const tracesOf = (texts: readonly string[], searched: string | Buffer): string[] => {
  const bytes = typeof searched === 'string' ? Buffer.from(searched) : searched
  const byBeginning = new Map<number, { text: string; form: Buffer }[]>()
  const slots = new Uint8Array(65_536)
  const found = new Set<string>()
  for (const text of new Set(texts))
    for (const form of formsOf(text).map((each) => Buffer.from(each))) {
      if (form.length < 4) {
        if (bytes.includes(form)) found.add(text)
        continue
      }
      const beginning = form.readInt32BE()
      slots[slotOf(beginning)] = 1
      byBeginning.set(beginning, [...(byBeginning.get(beginning) ?? []), { text, form }])
    }
  let four = 0
  for (let at = 0; at < bytes.length; at++) {
    four = (four << 8) | (bytes[at] ?? 0)
    if (slots[slotOf(four)] === 0 || at < 3) continue
    for (const { text, form } of byBeginning.get(four) ?? [])
      if (!found.has(text) && form.equals(bytes.subarray(at - 3, at - 3 + form.length))) found.add(text)
  }
  return texts.filter((text) => found.has(text))
}

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
