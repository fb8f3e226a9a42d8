import { readFile, readlink } from 'node:fs/promises'
import { hostname } from 'node:os'
import { processIdentity } from '@prosa/kernel/process-identity'

const parting = ' process '

/**
 * What distinguishes this machine from others of its name: its boot, as outside containers the namespace of processes has the same number
 * on all of them, and its namespace of processes, since two containers of one machine may both have a process 1. undefined where
 * that cannot be known.
 */
const linuxMachine = async (): Promise<string | undefined> => {
  try {
    const boot = await readFile('/proc/sys/kernel/random/boot_id', 'utf8')
    return `${boot.trim()} ${await readlink('/proc/self/ns/pid')}`
  } catch {
    return undefined
  }
}

/** Where process ids mean the same. Ends so that no machine's text begins with another's. */
const machineOf = async (): Promise<string> => {
  const which = process.platform === 'linux' ? await linuxMachine() : ''
  // Where that cannot be known, nobody is judged: a name of its own for each process.
  return `${hostname()} ${which ?? `unknown to ${process.pid} ${performance.timeOrigin}`}${parting}`
}

const machine = machineOf()

/** Names this process for other processes of the same machine; undefined where the system does not distinguish processes. */
export const thisProcess = async (): Promise<string | undefined> => {
  const identity = await processIdentity(process.pid)
  return identity && (await machine) + identity
}

/** What the names of all processes begin with that can be judged from here. */
export const thisMachine = (): Promise<string> => machine

/** True only when the process of that name ran on this machine and does so no more. */
export const isDead = async (name: string): Promise<boolean> => {
  const here = await machine
  if (!name.startsWith(here)) return false
  const identity = name.slice(here.length)
  const pid = Number.parseInt(identity, 10)
  return Number.isSafeInteger(pid) && (await processIdentity(pid)) !== identity
}
