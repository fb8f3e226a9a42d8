import { readFile, readlink } from 'node:fs/promises'
import { hostname } from 'node:os'
import { processIdentity } from '@prosa/kernel/process-identity'

const parting = ' process '

/**
 * Boot and process namespace: outside containers the namespace is the same everywhere, and two containers of one machine may both have a
 * process 1.
 */
const linuxMachine = async (): Promise<string | undefined> => {
  try {
    const boot = await readFile('/proc/sys/kernel/random/boot_id', 'utf8')
    return `${boot.trim()} ${await readlink('/proc/self/ns/pid')}`
  } catch {
    return undefined
  }
}

/** No machine's text is a prefix of another's. */
const machineOf = async (): Promise<string> => {
  const which = process.platform === 'linux' ? await linuxMachine() : ''
  // Unique for each process, so that none is considered dead.
  return `${hostname()} ${which ?? `unknown to ${process.pid} ${performance.timeOrigin}`}${parting}`
}

const machine = machineOf()

/** undefined where the system cannot distinguish processes. */
export const thisProcess = async (): Promise<string | undefined> => {
  const identity = await processIdentity(process.pid)
  return identity && (await machine) + identity
}

/** Prefix of the names of processes that can be checked here. */
export const thisMachine = (): Promise<string> => machine

/** True only when it ran on this machine and no longer does. */
export const isDead = async (name: string): Promise<boolean> => {
  const here = await machine
  if (!name.startsWith(here)) return false
  const identity = name.slice(here.length)
  const pid = Number.parseInt(identity, 10)
  return Number.isSafeInteger(pid) && (await processIdentity(pid)) !== identity
}
