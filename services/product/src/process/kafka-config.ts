import { ConfigError } from '@prosa/kernel/process/config-error'
import { z } from 'zod'
import { listOf, orEmpty } from './environment-text.ts'

export const kafkaEnvironment = {
  /** `host:port`, comma-separated. Published events go there; without it nowhere. */
  KAFKA_BROKERS: orEmpty(
    z
      .string()
      .refine((text) => listOf(text).length > 0 && listOf(text).every((each) => /^[^\s,:]+:\d{1,5}$/.test(each)), {
        error: 'is no list such as kafka-1:9092,kafka-2:9092',
      }),
  ),
  /** TLS; a certificate of one's own authority needs the next, one of the client the two after it. */
  KAFKA_SSL: orEmpty(z.stringbool()),
  KAFKA_SSL_CA_FILE: orEmpty(z.string()),
  KAFKA_SSL_CERT_FILE: orEmpty(z.string()),
  KAFKA_SSL_KEY_FILE: orEmpty(z.string()),
  /** Needs user name and password. */
  KAFKA_SASL_MECHANISM: orEmpty(z.enum(['plain', 'scram-sha-256', 'scram-sha-512'])),
  KAFKA_SASL_USERNAME: orEmpty(z.string()),
  KAFKA_SASL_PASSWORD: orEmpty(z.string()),
  /** Two installations on one cluster need two. */
  KAFKA_TOPIC_PREFIX: orEmpty(z.string().regex(/^[\w.-]{1,100}$/, 'may have letters, digits, dots, hyphens')),
  /** Of topics that Prosa creates; default: the cluster's. */
  KAFKA_TOPIC_PARTITIONS: orEmpty(z.coerce.number().int().min(1).max(1000)),
  KAFKA_TOPIC_REPLICATION: orEmpty(z.coerce.number().int().min(1).max(20)),
}

const shape = z.object(kafkaEnvironment)
type KafkaEnvironment = z.infer<typeof shape>

export interface KafkaCluster {
  brokers: string[]
  /** Files of certificates where they are not the system's. */
  ssl: { caFile: string | undefined; certFile: string | undefined; keyFile: string | undefined } | undefined
  sasl: { mechanism: 'plain' | 'scram-sha-256' | 'scram-sha-512'; username: string; password: string } | undefined
  topicPrefix: string
  partitions: number | undefined
  replication: number | undefined
}

/** Undefined without brokers. Throws `ConfigError` where settings contradict each other. */
export const kafkaOf = (env: KafkaEnvironment): KafkaCluster | undefined => {
  const { KAFKA_BROKERS, KAFKA_SASL_MECHANISM: mechanism } = env
  const { KAFKA_SASL_USERNAME: username, KAFKA_SASL_PASSWORD: password } = env
  const { KAFKA_SSL_CA_FILE: caFile, KAFKA_SSL_CERT_FILE: certFile, KAFKA_SSL_KEY_FILE: keyFile } = env
  if (KAFKA_BROKERS === undefined) return undefined
  const isSasl = mechanism !== undefined && username !== undefined && password !== undefined
  if (!isSasl && (mechanism ?? username ?? password) !== undefined)
    throw new ConfigError('For SASL, set all of KAFKA_SASL_MECHANISM, KAFKA_SASL_USERNAME and KAFKA_SASL_PASSWORD.')
  if (!env.KAFKA_SSL && (caFile ?? certFile ?? keyFile) !== undefined)
    throw new ConfigError('KAFKA_SSL_… name files for TLS: set KAFKA_SSL=true.')
  if ((certFile === undefined) !== (keyFile === undefined))
    throw new ConfigError('KAFKA_SSL_CERT_FILE and KAFKA_SSL_KEY_FILE are set together.')
  return {
    brokers: listOf(KAFKA_BROKERS),
    ssl: env.KAFKA_SSL ? { caFile, certFile, keyFile } : undefined,
    sasl: isSasl ? { mechanism, username, password } : undefined,
    topicPrefix: env.KAFKA_TOPIC_PREFIX ?? 'prosa',
    partitions: env.KAFKA_TOPIC_PARTITIONS,
    replication: env.KAFKA_TOPIC_REPLICATION,
  }
}

/** For commands that need nothing else. Throws `ConfigError` with one line per invalid variable. */
export const readKafkaConfig = (variables: NodeJS.ProcessEnv): KafkaCluster | undefined => {
  const parsed = shape.safeParse(variables)
  if (parsed.success) return kafkaOf(parsed.data)
  const faults = parsed.error.issues.map(({ path, message }) => `${path.join('.')}: ${message}`)
  throw new ConfigError(`The environment does not fit:\n  ${faults.join('\n  ')}`)
}
