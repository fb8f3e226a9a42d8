import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { connect } from 'node:net'
import { homedir, tmpdir } from 'node:os'
import { join } from 'node:path'
import { freePort } from '@prosa/kernel/free-port'
import { until } from '@prosa/kernel/testing/until'

const { KAFKA_BROKERS, XDG_CACHE_HOME } = process.env
/** As `scripts/builds/fetch-kafka.mjs` leaves it. */
const kafkaJars = join(XDG_CACHE_HOME || join(homedir(), '.cache'), 'prosa/kafka-jars')

const missing = () => {
  if (spawnSync('java', ['-version'], { stdio: 'ignore' }).error) return 'no java and no KAFKA_BROKERS'
  return existsSync(kafkaJars) ? '' : 'no jars of Kafka (node scripts/builds/fetch-kafka.mjs) and no KAFKA_BROKERS'
}
const missingHere = missing()
const skipped = (why: string) => (why ? ` (skipped: ${why})` : '')

/** Empty when `startBroker` can. */
export const noBroker = KAFKA_BROKERS ? '' : skipped(missingHere)
/** Empty when `startKillableBroker` can. */
export const noKillableBroker = skipped(missingHere)

export interface Broker {
  /** `host:port`, comma-separated. */
  brokers: string[]
  remove(): Promise<void>
}

export interface KillableBroker extends Broker {
  kill(): Promise<void>
  /** On the same data; resolves when it answers. */
  start(): Promise<void>
}

const startMs = 180_000

export interface BrokerAdditions {
  /** Beside PLAINTEXT, all on loopback. */
  listeners: readonly { name: string; port: number; protocol: string }[]
  /** Lines of the broker's configuration. */
  properties: string
  /** Arguments for the format of its storage. */
  format: readonly string[]
}

const none: BrokerAdditions = { listeners: [], properties: '', format: [] }

const propertiesOf = (
  folder: string,
  port: number,
  controllerPort: number,
  { listeners, properties }: BrokerAdditions,
) => {
  const all = [{ name: 'PLAINTEXT', port }, ...listeners]
  const addresses = all.map(({ name, port: own }) => `${name}://127.0.0.1:${own}`).join()
  const protocols = listeners.map(({ name, protocol }) => `,${name}:${protocol}`).join('')
  return `
process.roles=broker,controller
node.id=1
controller.quorum.voters=1@127.0.0.1:${controllerPort}
listeners=${addresses},CONTROLLER://127.0.0.1:${controllerPort}
advertised.listeners=${addresses}
inter.broker.listener.name=PLAINTEXT
controller.listener.names=CONTROLLER
listener.security.protocol.map=CONTROLLER:PLAINTEXT,PLAINTEXT:PLAINTEXT${protocols}
log.dirs=${join(folder, 'data')}
num.partitions=3
offsets.topic.replication.factor=1
offsets.topic.num.partitions=1
transaction.state.log.replication.factor=1
transaction.state.log.min.isr=1
group.initial.rebalance.delay.ms=0
${properties}
`
}

/** Many short lives: starting quickly counts, not speed. */
const javaFlags = ['-Xmx256m', '-XX:+UseSerialGC', '-XX:TieredStopAtLevel=1', '-cp', join(kafkaJars, '*')]

const java = (args: readonly string[]) => {
  const child = spawn('java', [...javaFlags, ...args], { stdio: 'ignore' })
  return { child, ended: once(child, 'exit') }
}

const answers = (port: number) =>
  new Promise<boolean>((resolve) => {
    const socket = connect(port, '127.0.0.1')
    socket.once('connect', () => resolve(true)).once('error', () => resolve(false))
    socket.once('connect', () => socket.destroy())
  })

/** KRaft, one node, loopback, on a free port. */
export const startKillableBroker = async (additions = none): Promise<KillableBroker> => {
  const folder = await mkdtemp(join(tmpdir(), 'prosa-kafka-'))
  const port = await freePort()
  const file = join(folder, 'server.properties')
  await writeFile(file, propertiesOf(folder, port, await freePort(), additions))
  // With '=': one in 64 begins with '-', which would be an option.
  const clusterId = Buffer.from(randomUUID().replaceAll('-', ''), 'hex').toString('base64url')
  const [code] = await java([
    'kafka.tools.StorageTool',
    'format',
    `--cluster-id=${clusterId}`,
    '-c',
    file,
    ...additions.format,
  ]).ended
  if (code !== 0) throw new Error('the storage of Kafka could not be formatted')
  let current: { child: ChildProcess; ended: Promise<unknown> } | undefined
  const kill = async () => {
    current?.child.kill('SIGKILL')
    await current?.ended
    current = undefined
  }
  const broker: KillableBroker = {
    brokers: [`127.0.0.1:${port}`],
    kill,
    async start() {
      const started = java(['kafka.Kafka', file])
      current = started
      await until(() => {
        if (started.child.exitCode !== null) throw new Error(`Kafka ended: ${started.child.exitCode}`)
        return answers(port)
      }, startMs)
    },
    async remove() {
      await kill()
      await rm(folder, { recursive: true, force: true })
    },
  }
  await broker.start().catch(async (error: unknown) => {
    await broker.remove()
    throw error
  })
  return broker
}

/** The one that KAFKA_BROKERS names, which keeps the topics of tests, or one of its own. */
export const startBroker = async (): Promise<Broker> =>
  KAFKA_BROKERS ? { brokers: KAFKA_BROKERS.split(','), remove: async () => undefined } : startKillableBroker()
