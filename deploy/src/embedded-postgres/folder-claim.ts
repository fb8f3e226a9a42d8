import { randomUUID } from 'node:crypto'
import { link, readFile, rename, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { processIdentity } from '@prosa/kernel/process-identity'
import { EmbeddedPostgresError } from './embedded-postgres-error.ts'

/** A killed process may still be exiting. */
const timeoutMs = 2000

/** Returns the release function. Throws if a living process (or this one) holds the claim; takes over a dead claim. */
export const claimFolder = async (folder: string): Promise<() => Promise<void>> => {
  const claim = join(folder, 'claim')
  const mine = (await processIdentity(process.pid)) ?? String(process.pid)
  const giveUpAt = Date.now() + timeoutMs
  for (;;) {
    if (await write(claim, mine)) return () => rm(claim, { force: true })
    const theirs = await readFile(claim, 'utf8').catch(() => '')
    const pid = Number.parseInt(theirs, 10)
    const held = theirs !== '' && (await processIdentity(pid)) === theirs
    if (!held) await takeAway(claim, theirs)
    else if (theirs !== mine && Date.now() < giveUpAt) await delay(20)
    else
      throw new EmbeddedPostgresError(
        `The data folder ${folder} is in use by another running Prosa (process ${pid}). Stop that one first, or name another folder.`,
      )
  }
}

/** Atomic; false if a claim exists. */
const write = async (claim: string, text: string): Promise<boolean> => {
  const draft = `${claim}-${randomUUID()}`
  try {
    await writeFile(draft, text, { mode: 0o600 })
    await link(draft, claim)
    return true
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'EEXIST') return false
    throw error
  } finally {
    await rm(draft, { force: true })
  }
}

/** Removes a dead claim unless it was replaced since it was read. */
const takeAway = async (claim: string, expected: string): Promise<void> => {
  const aside = `${claim}-${randomUUID()}`
  const moved = await rename(claim, aside).then(
    () => true,
    () => false,
  )
  if (!moved) return
  if ((await readFile(aside, 'utf8')) !== expected) await link(aside, claim).catch(() => undefined)
  await rm(aside, { force: true })
}
