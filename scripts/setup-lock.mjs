import { mkdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { inRoot } from './root.mjs'

const lock = inRoot('.setup-lock')
const holderFile = join(lock, 'pid')
const pollMilliseconds = 200
/** A holder writes its number within moments of making the folder; without one it died in between. */
const namelessMilliseconds = 5000

/** Runs `work` while no other command of this folder installs or builds; waits for it when one does. */
export const withLock = async (work) => {
  await take()
  const release = () => rmSync(lock, { recursive: true, force: true })
  process.once('exit', release)
  try {
    return await work()
  } finally {
    process.off('exit', release)
    release()
  }
}

const take = async () => {
  let said = false
  for (;;) {
    try {
      mkdirSync(lock)
      writeFileSync(holderFile, String(process.pid))
      return
    } catch (error) {
      if (error.code !== 'EEXIST') throw error
    }
    if (isAbandoned()) {
      rmSync(lock, { recursive: true, force: true })
      continue
    }
    if (!said) console.log('Another command is setting up this folder, waiting for it…')
    said = true
    await delay(pollMilliseconds)
  }
}

/** True when whoever took the lock was killed before it could give it back. */
const isAbandoned = () => {
  try {
    const holder = Number(readFileSync(holderFile, 'utf8'))
    return holder > 0 ? !isAlive(holder) : isOld()
  } catch (error) {
    if (error.code !== 'ENOENT') throw error
    return isOld()
  }
}

const isOld = () => {
  const made = statSync(lock, { throwIfNoEntry: false })
  return made !== undefined && Date.now() - made.mtimeMs > namelessMilliseconds
}

const isAlive = (pid) => {
  try {
    process.kill(pid, 0)
    return !isZombie(pid)
  } catch (error) {
    return error.code === 'EPERM'
  }
}

/** Where nobody collects the dead, as in some containers, they still answer to signals. */
const isZombie = (pid) => {
  if (process.platform !== 'linux') return false
  const stat = readFileSync(`/proc/${pid}/stat`, 'utf8')
  return stat.slice(stat.lastIndexOf(')') + 2).startsWith('Z')
}
