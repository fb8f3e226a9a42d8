import { parseStream } from '@prosa/contracts/streams'
import type { Town } from '../history/town.ts'
import { theDatabase } from '../platform/database.ts'
import type { Happened } from './happened.ts'

const tables = `select format('%I.%I', schemaname, tablename) as name from pg_tables where schemaname in ('public', 'es')`

const tablesWith = async (word: string): Promise<string[]> => {
  const found: string[] = []
  for (const { name } of await theDatabase().ask<{ name: string }>(tables)) {
    const rows = await theDatabase().ask(`select from ${name} t where t::text like '%' || $1 || '%' limit 1`, [word])
    if (rows.length > 0) found.push(name)
  }
  return found
}

const passwordsLeft = async (happened: Happened): Promise<string[]> => {
  const current = new Map<string, string>()
  for (const { type, data, stream } of happened.events) {
    const { id } = parseStream(stream)
    if (type === 'UserRegistered' || type === 'PasswordChanged' || type === 'TemporaryPasswordSet')
      current.set(id, data.credentialId)
    if (type === 'UserErased') current.delete(id)
  }
  const allowed = new Set(current.values())
  const given = new Set(
    happened.of('UserRegistered', 'PasswordChanged', 'TemporaryPasswordSet').map(({ data }) => data.credentialId),
  )
  const kept = await theDatabase().ask<{ id: string }>(`select id from secret where kind = 'password'`)
  return kept.filter(({ id }) => given.has(id) && !allowed.has(id)).map(({ id }) => `password ${id} is kept`)
}

export const whatIsLeftOfErased = async (happened: Happened, { shops, written }: Town): Promise<string[]> => {
  const problems = await passwordsLeft(happened)
  const readable = JSON.stringify(happened.events.map(({ data }) => data))
  const words: string[] = shops.filter(({ isErased }) => isErased).flatMap((shop) => shop.words)
  for (const { shop, text, customer } of written)
    if (shop.isErased) words.push(text.split(' ').at(-1) ?? '', customer.name.split(' ')[1] ?? '')
  for (const word of new Set(words)) {
    if (readable.includes(word)) problems.push(`the log still says ${word} of who was erased`)
    for (const table of await tablesWith(word)) problems.push(`${table} still holds ${word} of who was erased`)
  }
  return problems
}
