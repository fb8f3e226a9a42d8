import { readFileSync } from 'node:fs'
import { ConfigError } from '@prosa/kernel/process/config-error'
import type { KafkaCluster } from '@prosa/product/process/kafka-config'
import type { KafkaSettings } from './kafka-publisher.ts'

const read = (variable: string, file: string | undefined) => {
  try {
    return file === undefined ? undefined : readFileSync(file)
  } catch (error) {
    const why = error instanceof Error && 'code' in error ? error.code : 'unknown'
    throw new ConfigError(`${variable}: '${file}' cannot be read (${why}).`)
  }
}

/** Throws `ConfigError` where a certificate cannot be read. */
export const kafkaSettings = ({ brokers, ssl, sasl, partitions, replication }: KafkaCluster): KafkaSettings => ({
  ...{ brokers, partitions, replication },
  ssl: ssl && {
    ca: read('KAFKA_SSL_CA_FILE', ssl.caFile),
    cert: read('KAFKA_SSL_CERT_FILE', ssl.certFile),
    key: read('KAFKA_SSL_KEY_FILE', ssl.keyFile),
  },
  sasl: sasl && (sasl as NonNullable<KafkaSettings['sasl']>),
})
