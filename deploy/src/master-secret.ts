import { randomBytes } from 'node:crypto'
import { mkdir, open, readFile } from 'node:fs/promises'
import { join } from 'node:path'

/**
 * The secret that locks everything: the configured one, or one made on the first start and kept in the data folder,
 * readable by its owner only. Losing it makes linked numbers and passwords unreadable.
 */
export const masterSecret = async (configured: string | undefined, dataDir: string): Promise<Buffer> => {
  if (configured) return Buffer.from(configured, 'hex')
  await mkdir(dataDir, { recursive: true, mode: 0o711 })
  const path = join(dataDir, 'secret')
  try {
    const file = await open(path, 'wx', 0o600)
    await file.writeFile(randomBytes(32).toString('hex'))
    await file.sync()
    await file.close()
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code === 'EEXIST')) throw error
  }
  const secret = Buffer.from((await readFile(path, 'utf8')).trim(), 'hex')
  if (secret.length < 32) throw new Error(`${path} does not hold a secret: restore it from your backup.`)
  return secret
}
