import { copyFileSync, existsSync, mkdirSync, mkdtempSync, readFileSync, renameSync, rmSync } from 'node:fs'
import { homedir } from 'node:os'
import { join } from 'node:path'
import { inRoot } from '../root.mjs'
import { command } from '../running/command.mjs'
import { runCommand } from '../running/run-command.mjs'

const pom = inRoot('scripts/kafka/pom.xml')
const plugin = 'org.apache.maven.plugins:maven-dependency-plugin:3.8.1:copy-dependencies'
const maxMs = 180_000
// biome-ignore lint/suspicious/noUndeclaredEnvVars: turbo does not run this script.
const cache = join(process.env.XDG_CACHE_HOME || join(homedir(), '.cache'), 'prosa')
/** `services/streams/src/testing/kafka-broker.ts` starts a broker from it. */
const folder = join(cache, 'kafka-jars')
const stamp = 'pom.xml'

const isFetched = () => {
  const file = join(folder, stamp)
  return existsSync(file) && readFileSync(file, 'utf8') === readFileSync(pom, 'utf8')
}

/** One line where it did not. */
const fetchJars = async (target) => {
  try {
    const args = ['-q', '-B', '-f', pom, plugin, `-DoutputDirectory=${target}`]
    const { code } = await runCommand(args, { program: 'mvn', maxMs })
    return code === 0 ? undefined : 'Maven did not fetch the jars of the Kafka broker.'
  } catch (error) {
    if (error.code === 'ENOENT') return 'Maven (mvn) is not on this machine.'
    throw error
  }
}

/** The Kafka broker that tests start, from Maven Central into a cache folder. */
await command(async () => {
  if (isFetched()) return 0
  mkdirSync(cache, { recursive: true })
  const draft = mkdtempSync(join(cache, 'draft-'))
  try {
    const fault = await fetchJars(draft)
    if (fault) {
      console.log(`${fault} Tests on a real Kafka broker will be skipped.`)
      return 1
    }
    copyFileSync(pom, join(draft, stamp))
    rmSync(folder, { recursive: true, force: true })
    renameSync(draft, folder)
    return 0
  } finally {
    rmSync(draft, { recursive: true, force: true })
  }
})
