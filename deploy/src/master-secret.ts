import { randomBytes, randomUUID } from 'node:crypto'
import { existsSync } from 'node:fs'
import { link, readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { makePassable } from './embedded-postgres/passable-folder.ts'

/**
 * The configured secret, or one created on first start in the data folder with mode 0600. Without it linked numbers and passwords are
 * unreadable.
 */
export const masterSecret = async (configured: string | undefined, dataDir: string): Promise<Buffer> => {
  if (configured) return Buffer.from(configured, 'hex')
  await makePassable(dataDir, 0o711)
  const path = join(dataDir, 'secret')
  if (!existsSync(path)) await makeSecret(path)
  const secret = Buffer.from((await readFile(path, 'utf8')).trim(), 'hex')
  if (secret.length < 32) throw new Error(`${path} does not hold a secret: restore it from your backup.`)
  return secret
}

/** Written to a draft and linked: an interrupted start must not leave a partial secret. Of concurrent starts the first wins. */
const makeSecret = async (path: string): Promise<void> => {
  const draft = `${path}.${randomUUID()}`
  try {
    await writeFile(draft, randomBytes(32).toString('hex'), { mode: 0o600, flush: true })
    await link(draft, path)
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code === 'EEXIST')) throw error
  } finally {
    await rm(draft, { force: true })
  }
}
