import { randomUUID } from 'node:crypto'
import fastify, { type FastifyBaseLogger } from 'fastify'
import { describe, expect, it } from 'vitest'
import { z } from 'zod'
import { InvalidAppend } from '../event-store/port.ts'
import { freePort } from '../free-port.ts'
import { testPostgres } from '../postgres/testing.ts'
import { capturedLog } from '../testing/captured-log.ts'
import type { Logger } from './log.ts'

const planted = {
  name: 'Marina Alves do Carmo',
  email: 'marina.alves@example.com',
  phone: '5511988776655',
  written: '+55 (11) 98877-6655',
  cpf: '123.456.789-09',
  token: 'dG9rZW4tZGEtTWFyaW5hLTEyMzQ1Njc4OTA-abcdef',
  text: 'segredo da Marina',
}
const everything = Object.values(planted).join(' | ')

const caught = async (work: () => unknown): Promise<Error> => {
  try {
    await work()
  } catch (error) {
    if (error instanceof Error) return error
  }
  throw new Error('nothing was thrown')
}

const ways: Record<string, (log: Logger, error: Error) => void> = {
  'as err': (log, error) => log.error({ err: error }, 'it failed'),
  'as err, without a sentence': (log, error) => log.error({ err: error }),
  'by itself': (log, error) => log.error(error),
  'by itself, with a sentence': (log, error) => log.warn(error, 'it failed'),
  'under another name': (log, error) => log.error({ reason: { inner: [error] } }, 'it failed'),
  'as a value of the sentence': (log, error) => log.error('it failed: %s %o', error.message, error),
  'in a child': (log, error) => log.child({ err: error }).error('it failed'),
}

const kinds: Record<string, () => Promise<Error>> = {
  'PostgreSQL: a row that exists already': async () => {
    const { pool, drop } = await testPostgres()
    try {
      await pool.query('create table person (name text constraint one_name unique)')
      const add = () => pool.query('insert into person values ($1)', [everything])
      await add()
      return await caught(add)
    } finally {
      await drop()
    }
  },
  'PostgreSQL: a value that is no number': async () => {
    const { pool, drop } = await testPostgres()
    try {
      return await caught(() => pool.query('select $1::int', [everything]))
    } finally {
      await drop()
    }
  },
  'zod, with values in keys and messages': () =>
    caught(() =>
      z
        .record(
          z.string(),
          z.object({ phone: z.string().refine(() => false, { error: ({ input }) => String(input) }) }),
        )
        .parse({ [everything]: { phone: everything } }),
    ),
  'Boom, as Baileys throws it': async () =>
    Object.assign(new Error(`no session for ${planted.phone}@s.whatsapp.net ${everything}`), {
      isBoom: true,
      data: { attrs: { from: everything } },
      output: { statusCode: 428, payload: { message: everything } },
    }),
  'fetch: an address that does not answer': async () => {
    const port = await freePort()
    return caught(() =>
      fetch(`http://127.0.0.1:${port}/${planted.phone}?email=${planted.email}&q=${encodeURIComponent(everything)}`),
    )
  },
  'fetch: an address that is none': () => caught(() => fetch(`http//${everything}`)),
  'JSON that is none': () => caught(() => JSON.parse(`{${everything}`)),
  'causes within causes': async () =>
    new Error(everything, { cause: new AggregateError([new Error(everything)], everything, { cause: everything }) }),
  'a name and a code that are data': async () =>
    Object.assign(new Error('x'), {
      name: everything,
      code: planted.phone,
      constraint: planted.email,
      detail: everything,
    }),
  'a message that looks like frames': async () =>
    new Error(`x\n    at ${planted.phone} (/home/${planted.name}/${planted.text}.ts:1:1)\n${everything}`),
}

describe('the log', () => {
  it.each(Object.entries(kinds))('writes nothing personal of an error: %s', async (_, make) => {
    const error = await make()
    for (const [way, write] of Object.entries(ways)) {
      const { log, output } = capturedLog()
      write(log, error)
      expect(output()).not.toBe('')
      const found = Object.values(planted).filter((secret) => output().includes(secret))
      expect([way, found]).toEqual([way, []])
    }
  })

  it('still names what failed and where', async () => {
    const { log, lines } = capturedLog()
    log.error({ err: await kinds['PostgreSQL: a row that exists already']?.() }, 'it failed')
    expect(lines().at(-1)).toMatchObject({
      msg: 'it failed',
      err: { code: '23505', constraint: 'one_name', routine: '_bt_check_unique' },
    })
    log.error({ err: new TypeError(everything) }, 'it failed')
    expect(lines().at(-1)?.err).toMatchObject({
      type: 'TypeError',
      stack: [expect.stringContaining('log.test.ts:'), expect.anything()],
    })
    log.error({ err: new InvalidAppend('an append holds at least one event') }, 'it failed')
    expect(lines().at(-1)?.err).toMatchObject({
      type: 'InvalidAppend',
      message: 'an append holds at least one event',
    })
    log.warn({ err: await kinds['fetch: an address that does not answer']?.() }, 'it failed')
    expect(lines().at(-1)).toMatchObject({ err: { cause: { code: 'ECONNREFUSED' } } })
    log.warn({ err: await kinds['Boom, as Baileys throws it']?.() }, 'it failed')
    expect(lines().at(-1)).toMatchObject({ err: { status: 428 } })
  })

  it('takes out what is personal by its field, and numbers, addresses and tokens by their form', () => {
    const { log, output, lines } = capturedLog()
    const { name, email, phone, token, text } = planted
    log.info({ name, email, phone, text, body: { text }, headers: { cookie: token }, resetLink: text }, 'fields')
    log.info(
      { about: `from ${phone}@s.whatsapp.net, CPF ${planted.cpf}, ${planted.written}, ${token}` },
      `mail to ${email}`,
    )
    log.info({ deep: [{ er: [{ tel: `tel:${phone}` }] }] }, 'GET /api/contacts?search=Marina%20Alves&x=1')
    log.info({ url: `http://localhost:3000/redefinir?token=${token}` }, 'from %s', email)
    for (const secret of [...Object.values(planted), 'search=', 'Marina', '?token='])
      expect(output()).not.toContain(secret)
    expect(lines().at(-1)?.url).toBe('http://localhost:3000/…')
  })

  it('leaves ids, positions, instants and names of ours as they are', () => {
    const { log, lines } = capturedLog()
    const fields = {
      connectionId: randomUUID(),
      reactor: 'mail-on-password-reset-requested',
      position: '0000000000000001234',
      at: '2026-11-21T12:00:00.000Z',
      messageId: '3EB0A1234567890ABCDE',
      url: 'http://localhost:3000',
      ms: 1234567890,
      parked: 3,
    }
    log.warn(fields, 'kept')
    expect(lines().at(-1)).toMatchObject({ ...fields, msg: 'kept' })
  })

  it('writes no address, header or host of a request, whatever Fastify logs', async () => {
    const { log, output } = capturedLog()
    const app = fastify({ loggerInstance: log as FastifyBaseLogger })
    app.get('/broken', async () => {
      throw new Error(everything)
    })
    const headers = { cookie: planted.token, 'user-agent': planted.text }
    await app.inject({ url: `/broken?email=${planted.email}&phone=${planted.phone}`, headers })
    await app.close()
    expect(output()).toContain('incoming request')
    for (const secret of Object.values(planted)) expect(output()).not.toContain(secret)
  })
})
