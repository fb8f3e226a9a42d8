import { readFile, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pg from 'pg'
import { describe, expect, it, onTestFinished } from 'vitest'
import { freePort } from '../free-port.ts'
import { isUnreachable } from './is-unreachable.ts'
import { openPool } from './pool.ts'

const failureOf = (work: Promise<unknown>) => work.then(() => undefined).catch((error: unknown) => error)
const systemError = (code: string, syscall: string) => Object.assign(new Error(`${syscall} ${code}`), { code, syscall })
const databaseError = (code: string) => Object.assign(new pg.DatabaseError('refused', 0, 'error'), { code })

const queryOver = async (url: string) => {
  const pool = openPool(url)
  onTestFinished(() => pool.end())
  return failureOf(pool.query('select 1'))
}

describe('a database is out of reach', () => {
  it('when nobody listens at its port', async () => {
    const error = await queryOver(`postgres://prosa@127.0.0.1:${await freePort()}/prosa`)
    expect(error).toMatchObject({ code: 'ECONNREFUSED' })
    expect(isUnreachable(error)).toBe(true)
  })

  it('when its socket is not there, as while PostgreSQL starts', async () => {
    const error = await queryOver(
      `postgres://prosa@/prosa?host=${encodeURIComponent(join(tmpdir(), 'no-such-folder'))}`,
    )
    expect(error).toMatchObject({ code: 'ENOENT', syscall: 'connect' })
    expect(isUnreachable(error)).toBe(true)
  })

  it.each([
    ['connect', 'EACCES'],
    ['connect', 'EMFILE'],
    ['connect', 'EADDRNOTAVAIL'],
    ['getaddrinfo', 'ENOTFOUND'],
    ['getaddrinfo', 'EAI_AGAIN'],
    ['read', 'ECONNRESET'],
    ['read', 'ETIMEDOUT'],
    ['write', 'EPIPE'],
  ])('when node reports it: %s %s', (syscall, code) => {
    expect(isUnreachable(systemError(code, syscall))).toBe(true)
    expect(isUnreachable(new AggregateError([systemError(code, syscall)]))).toBe(true)
  })

  it.each(['08006', '53300', '57P01', '25P03'])('when it reports it itself: %s', (code) => {
    expect(isUnreachable(databaseError(code))).toBe(true)
  })
})

describe('a database is not to blame', () => {
  it('for a file that is missing', async () => {
    const error = await failureOf(readFile(join(tmpdir(), 'no-such-folder', 'no-such-file')))
    expect(error).toMatchObject({ code: 'ENOENT' })
    expect(isUnreachable(error)).toBe(false)
  })

  it('for a folder that is taken for a file', async () => {
    const error = await failureOf(writeFile(tmpdir(), ''))
    expect(error).toMatchObject({ code: 'EISDIR' })
    expect(isUnreachable(error)).toBe(false)
  })

  it.each([
    ['open', 'EACCES'],
    ['open', 'EPERM'],
    ['mkdir', 'EEXIST'],
    ['write', 'ENOSPC'],
    ['spawn', 'ENOENT'],
  ])('for what the file system or another program refuses: %s %s', (syscall, code) => {
    expect(isUnreachable(systemError(code, syscall))).toBe(false)
  })

  it.each(['23505', '22001', '42P01'])('when it refuses what it is asked: %s', (code) => {
    expect(isUnreachable(databaseError(code))).toBe(false)
  })
})
