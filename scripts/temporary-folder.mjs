import { chmodSync, mkdtempSync, readdirSync, readFileSync, rmSync, statfsSync } from 'node:fs'
import { freemem, tmpdir } from 'node:os'
import { join } from 'node:path'
import { answersSignals } from './process-identity.mjs'

const memory = '/dev/shm'
const prefix = 'prosa-tests-'
// A run holds up to a quarter of a gigabyte at once.
const neededBytes = 2 * 2 ** 30

/**
 * A folder for everything that a run leaves in the system's folder for temporary files, and what removes it. It is in memory
 * where there is plenty: a database's files are made and removed there in a fifth of the time, and tests do it 200 times.
 */
export const temporaryFolder = () => {
  const place = memoryIsPlenty() ? memory : tmpdir()
  removeLeftovers(place)
  const path = mkdtempSync(join(place, `${prefix}${process.pid}-`))
  // PostgreSQL, which never runs as root, has its files in it.
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

/** What Linux would hand out; node's own number leaves out what it would give up for it. */
const availableMemory = () => {
  const kibibytes = /^MemAvailable:\s+(\d+) kB$/m.exec(readFileSync('/proc/meminfo', 'utf8'))?.[1]
  return kibibytes ? Number(kibibytes) * 1024 : freemem()
}

/** A run that was killed could not remove its files. */
const removeLeftovers = (place) => {
  for (const name of readdirSync(place)) {
    if (!name.startsWith(prefix) || answersSignals(Number.parseInt(name.slice(prefix.length), 10))) continue
    rmSync(join(place, name), { recursive: true, force: true })
  }
}
