import { execFile, spawnSync } from 'node:child_process'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { freePort } from '@prosa/kernel/free-port'
import { noKillableBroker, startKillableBroker } from './kafka-broker.ts'

const openssl = promisify(execFile)
/** Empty when `startSecuredBroker` can. */
export const noSecuredBroker =
  noKillableBroker || (spawnSync('openssl', ['version']).error ? ' (skipped: no openssl)' : '')

export interface SecuredBroker {
  /** `host:port` of SASL without TLS, SASL over TLS, TLS with a certificate of the client's, and without anything. */
  addresses: { sasl: string; saslTls: string; clientTls: string; plain: string }
  user: { name: string; password: string }
  /** In PEM: its own authority, one that it does not know, and a certificate of the client's by the first. */
  files: { ca: string; otherCa: string; clientCert: string; clientKey: string }
  remove(): Promise<void>
}

const user = { name: 'prosa', password: 'segredo-do-kafka' }

const makeAuthority = async (folder: string, name: string) => {
  const [key, cert] = [join(folder, `${name}.key`), join(folder, `${name}.crt`)]
  const args = ['-newkey', 'rsa:2048', '-nodes', '-days', '2', '-subj', `/CN=${name}`]
  await openssl('openssl', ['req', '-x509', ...args, '-keyout', key, '-out', cert])
  return { key, cert }
}

const makeCertificate = async (folder: string, name: string, authority: { key: string; cert: string }) => {
  const [key, cert] = [join(folder, `${name}.key`), join(folder, `${name}.crt`)]
  const [request, names] = [join(folder, `${name}.csr`), join(folder, `${name}.ext`)]
  await writeFile(names, 'subjectAltName=IP:127.0.0.1\n')
  const args = ['-newkey', 'rsa:2048', '-nodes', '-subj', `/CN=${name}`]
  await openssl('openssl', ['req', ...args, '-keyout', key, '-out', request])
  const by = ['-CA', authority.cert, '-CAkey', authority.key, '-CAcreateserial', '-days', '2']
  await openssl('openssl', ['x509', '-req', '-in', request, ...by, '-extfile', names, '-out', cert])
  return { key, cert }
}

const modules = 'org.apache.kafka.common.security'
const loginsOf = (listener: string) => `
listener.name.${listener}.sasl.enabled.mechanisms=PLAIN,SCRAM-SHA-256,SCRAM-SHA-512
listener.name.${listener}.plain.sasl.jaas.config=${modules}.plain.PlainLoginModule required user_${user.name}="${user.password}";
listener.name.${listener}.scram-sha-256.sasl.jaas.config=${modules}.scram.ScramLoginModule required;
listener.name.${listener}.scram-sha-512.sasl.jaas.config=${modules}.scram.ScramLoginModule required;`

/** A real broker with every kind of protection that the settings know. */
export const startSecuredBroker = async (): Promise<SecuredBroker> => {
  const folder = await mkdtemp(join(tmpdir(), 'prosa-kafka-tls-'))
  const authority = await makeAuthority(folder, 'authority')
  const other = await makeAuthority(folder, 'other')
  const server = await makeCertificate(folder, 'server', authority)
  const client = await makeCertificate(folder, 'client', authority)
  const keyStore = join(folder, 'server.pem')
  await writeFile(keyStore, (await readFile(server.key, 'utf8')) + (await readFile(server.cert, 'utf8')))
  const [sasl, saslTls, clientTls] = [await freePort(), await freePort(), await freePort()]
  const broker = await startKillableBroker({
    listeners: [
      { name: 'SASL', port: sasl, protocol: 'SASL_PLAINTEXT' },
      { name: 'SASLTLS', port: saslTls, protocol: 'SASL_SSL' },
      { name: 'CLIENTTLS', port: clientTls, protocol: 'SSL' },
    ],
    properties: `${loginsOf('sasl')}${loginsOf('sasltls')}
listener.name.clienttls.ssl.client.auth=required
ssl.keystore.type=PEM
ssl.keystore.location=${keyStore}
ssl.truststore.type=PEM
ssl.truststore.location=${authority.cert}`,
    format: ['SCRAM-SHA-256', 'SCRAM-SHA-512'].flatMap((mechanism) => [
      '--add-scram',
      `${mechanism}=[name=${user.name},password=${user.password}]`,
    ]),
  })
  return {
    addresses: {
      sasl: `127.0.0.1:${sasl}`,
      saslTls: `127.0.0.1:${saslTls}`,
      clientTls: `127.0.0.1:${clientTls}`,
      plain: broker.brokers.join(),
    },
    user,
    files: { ca: authority.cert, otherCa: other.cert, clientCert: client.cert, clientKey: client.key },
    async remove() {
      await broker.remove()
      await rm(folder, { recursive: true, force: true })
    },
  }
}
