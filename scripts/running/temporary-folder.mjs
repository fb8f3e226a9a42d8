import { chmodSync, mkdtempSync, readdirSync, readFileSync, rmSync, statfsSync } from 'node:fs'
import { freemem, tmpdir } from 'node:os'
import { join } from 'node:path'
import { answersSignals } from './process-identity.mjs'

const memory = '/dev/shm'
const prefix = 'prosa-tests-'
// A run needs up to a quarter of a gigabyte at once.
const neededBytes = 2 * 2 ** 30

/** In memory where possible: 200 databases are created there, five times as fast. */
export const temporaryFolder = () => {
  const place = memoryIsPlenty() ? memory : tmpdir()
  removeLeftovers(place)
  const path = mkdtempSync(join(place, `${prefix}${process.pid}-`))
  // PostgreSQL, never root, has its files in it.
  chmodSync(path, 0o1777)
  return { path, remove: () => rmSync(path, { recursive: true, force: true, maxRetries: 3 }) }
}

const memoryIsPlenty = () => {
  try {
    const { bavail, bsize, type } = statfsSync(memory)
    const isInMemory = type === 0x01021994
    return isInMemory && bavail * bsize >= neededBytes && availableMemory() >= neededBytes
  } catch (error) {
    if (error.code === 'ENOENT') return false
    throw error
  }
}

/** Node's number excludes reclaimable memory. */
const availableMemory = () => {
  const kibibytes = /^MemAvailable:\s+(\d+) kB$/m.exec(readFileSync('/proc/meminfo', 'utf8'))?.[1]
  return kibibytes ? Number(kibibytes) * 1024 : freemem()
}

const removeLeftovers = (place) => {
  for (const name of readdirSync(place)) {
    if (!name.startsWith(prefix) || answersSignals(Number.parseInt(name.slice(prefix.length), 10))) continue
    rmSync(join(place, name), { recursive: true, force: true })
  }
}
