import { silentLog } from '@prosa/kernel/observability/log'
import { ConfigError } from '@prosa/kernel/process/config-error'
import { readKafkaConfig } from '@prosa/product/process/kafka-config'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { readTopic } from '../../testing/read-topic.ts'
import { noSecuredBroker, type SecuredBroker, startSecuredBroker } from '../../testing/secured-broker.ts'
import { PublishingFailed } from '../port.ts'
import { recordOf } from '../publisher.contract.ts'
import { kafkaPublisher } from './kafka-publisher.ts'
import { kafkaSettings } from './kafka-settings.ts'

const never = new AbortController().signal
const mechanisms = ['plain', 'scram-sha-256', 'scram-sha-512']

describe.skipIf(noSecuredBroker)(`the settings of Kafka on a real broker${noSecuredBroker}`, () => {
  let broker: SecuredBroker
  beforeAll(async () => {
    broker = await startSecuredBroker()
  }, 90_000)
  afterAll(() => broker?.remove())

  let topics = 0
  /** Through the environment, as an operator gives them. */
  const publish = async (env: NodeJS.ProcessEnv) => {
    const config = readKafkaConfig(env) ?? expect.fail('there are brokers')
    const topic = `secured.${++topics}`
    const writer = await kafkaPublisher(kafkaSettings(config), silentLog()).open(topic)
    try {
      await writer.write([recordOf('ana', 1)], never)
    } finally {
      await writer.close()
    }
    return (await readTopic([broker.addresses.plain], topic)).map(({ key }) => key)
  }
  const login = (mechanism: string, password = broker.user.password) => ({
    KAFKA_SASL_MECHANISM: mechanism,
    KAFKA_SASL_USERNAME: broker.user.name,
    KAFKA_SASL_PASSWORD: password,
  })
  const tls = (caFile = broker.files.ca) => ({ KAFKA_SSL: 'true', KAFKA_SSL_CA_FILE: caFile })

  it.each(mechanisms)('log in by SASL %s, and not with another password', async (mechanism) => {
    const env = { KAFKA_BROKERS: broker.addresses.sasl }
    expect(await publish({ ...env, ...login(mechanism) })).toEqual(['ana'])
    await expect(publish({ ...env, ...login(mechanism, 'errada') })).rejects.toThrow(PublishingFailed)
  })

  it.each(mechanisms)('log in by SASL %s over TLS', async (mechanism) => {
    const env = { KAFKA_BROKERS: broker.addresses.saslTls }
    expect(await publish({ ...env, ...tls(), ...login(mechanism) })).toEqual(['ana'])
  })

  it('trust only the authority that they name', async () => {
    const env = { KAFKA_BROKERS: broker.addresses.saslTls, ...login('plain') }
    await expect(publish({ ...env, ...tls(broker.files.otherCa) })).rejects.toThrow(PublishingFailed)
    await expect(publish({ ...env, KAFKA_SSL: 'true' })).rejects.toThrow(PublishingFailed)
  })

  it('show a certificate of their own where the broker asks for one', async () => {
    const env = { KAFKA_BROKERS: broker.addresses.clientTls, ...tls() }
    const own = { KAFKA_SSL_CERT_FILE: broker.files.clientCert, KAFKA_SSL_KEY_FILE: broker.files.clientKey }
    expect(await publish({ ...env, ...own })).toEqual(['ana'])
    await expect(publish(env)).rejects.toThrow(PublishingFailed)
  })
})

describe('the settings of Kafka', () => {
  it.each([
    [{ KAFKA_SASL_MECHANISM: 'plain' }, /set all of/],
    [{ KAFKA_SASL_MECHANISM: 'gssapi' }, /KAFKA_SASL_MECHANISM/],
    [{ KAFKA_SSL_CA_FILE: '/ca.pem' }, /KAFKA_SSL=true/],
    [{ KAFKA_SSL: 'true', KAFKA_SSL_CERT_FILE: '/c.pem' }, /set together/],
    [{ KAFKA_BROKERS: 'kafka' }, /kafka-1:9092/],
  ])('%j is refused in a sentence', (env, sentence) => {
    const read = () => readKafkaConfig({ KAFKA_BROKERS: 'kafka:9092', ...env })
    expect(read).toThrow(ConfigError)
    expect(read).toThrow(sentence)
  })

  it('are nothing without brokers, and name a certificate that cannot be read', () => {
    expect(readKafkaConfig({ KAFKA_BROKERS: '' })).toBeUndefined()
    const config = readKafkaConfig({ KAFKA_BROKERS: 'kafka:9092', KAFKA_SSL: 'true', KAFKA_SSL_CA_FILE: '/none.pem' })
    expect(() => config && kafkaSettings(config)).toThrow("KAFKA_SSL_CA_FILE: '/none.pem' cannot be read (ENOENT)")
  })
})
