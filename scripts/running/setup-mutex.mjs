import { mkdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { inRoot } from '../root.mjs'
import { processIdentity } from './process-identity.mjs'

const mutex = inRoot('.setup-mutex')
const holderFile = join(mutex, 'pid')
const pollMs = 200
/** A folder without the holder's name is abandoned after this. */
const namelessMs = 5000

/** Excludes other installs and builds in this folder. */
export const withMutex = async (work) => {
  await take()
  const release = () => rmSync(mutex, { recursive: true, force: true })
  process.once('exit', release)
  try {
    return await work()
  } finally {
    process.off('exit', release)
    release()
  }
}

const take = async () => {
  let isReported = false
  for (;;) {
    try {
      mkdirSync(mutex)
      writeFileSync(holderFile, processIdentity(process.pid) ?? '')
      return
    } catch (error) {
      if (error.code !== 'EEXIST') throw error
    }
    if (isAbandoned()) {
      rmSync(mutex, { recursive: true, force: true })
      continue
    }
    if (!isReported) console.log(`Another command is setting up this folder, waiting for it to release ${mutex}…`)
    isReported = true
    await delay(pollMs)
  }
}

const isAbandoned = () => {
  try {
    const holder = readFileSync(holderFile, 'utf8')
    const pid = Number.parseInt(holder, 10)
    if (!(pid > 0)) return isOld()
    // Our own process id is not the holder: containers reuse ids.
    return pid === process.pid || processIdentity(pid) !== holder
  } catch (error) {
    if (error.code !== 'ENOENT') throw error
    return isOld()
  }
}

const isOld = () => {
  const made = statSync(mutex, { throwIfNoEntry: false })
  return made !== undefined && Date.now() - made.mtimeMs > namelessMs
}
