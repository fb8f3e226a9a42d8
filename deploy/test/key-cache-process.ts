import { silentLog } from '@prosa/kernel/observability/log'
import { openMigratedPorts } from '@prosa/product/process/open-ports'
import { readSide } from '@prosa/projections/read-side'

/**
 * Any service's process, as far as keys go. Arguments: database, master secret in hexadecimal, subject, Redis (optional). Caches the
 * subject's key and sends its id; sends 'dropped' once the cache has it no more.
 */
const [databaseUrl = '', secret = '', subject = '', redisUrl] = process.argv.slice(2)
const { subjectKeys } = await openMigratedPorts({
  databaseUrl,
  masterSecret: Buffer.from(secret, 'hex'),
  log: silentLog(),
  readSide,
  ...(redisUrl && { redisUrl }),
})
const named = [subject as `user:${string}`]
const ids = [...(await subjectKeys.current(named)).values()].map(({ id }) => id)
await subjectKeys.toDecrypt(ids)
const isCached = () => {
  const found = subjectKeys.cached(ids)?.get(ids[0] ?? '')
  return found !== undefined && found !== 'erased'
}
process.send?.({ ids, isCached: isCached() })
const watching = setInterval(() => {
  if (isCached()) return
  clearInterval(watching)
  process.send?.('dropped')
}, 5)
process.once('disconnect', () => process.exit(0))
