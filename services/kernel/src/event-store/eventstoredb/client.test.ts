import { jsonEvent, UnavailableError } from '@eventstore/db-client'
import { expect, it, onTestFinished } from 'vitest'
import { freePort } from '../../free-port.ts'
import { openClient } from './client.ts'
import { EventStoreDbDouble } from './double/event-store-db-double.ts'
import { streamsClient } from './double/generated.ts'
import { isUnreachable } from './failures.ts'

interface Internals {
  getGRPCClient(type: unknown, name: string): Promise<unknown>
  handleError(grpcClient: unknown, error: Error): Promise<void>
}

const opened = (url: string) => {
  const troubles: unknown[] = []
  const { esdb, credentials } = openClient(url, undefined, (error) => troubles.push(error))
  onTestFinished(() => esdb.dispose())
  const append = () =>
    esdb.appendToStream('test-1', jsonEvent({ type: 'Tested', data: {} }), {
      credentials,
      expectedRevision: 'no_stream',
    })
  return { append, internals: esdb as unknown as Internals, troubles }
}

it('settles an append whose channel is given up in the same turn: the client would throw where nobody can catch', async () => {
  const server = await new EventStoreDbDouble().start()
  onTestFinished(() => server.kill())
  const { append, internals } = opened(server.url)
  const grpcClient = await internals.getGRPCClient(streamsClient, 'test')
  const handled = internals.handleError(grpcClient, new UnavailableError())
  const outcome = await append().catch((error: unknown) => error)
  expect(isUnreachable(outcome) || outcome).toBe(true)
  await handled
})

it('bears a call that fails while the cluster is being looked for in vain: the client would end the process', async () => {
  const port = await freePort()
  const { append, internals, troubles } = opened(
    `esdb+discover://127.0.0.1:${port}?tls=false&maxDiscoverAttempts=2&discoveryInterval=10`,
  )
  const failing = append().catch((error: unknown) => error)
  const ofTheLostConnection = { getChannel: () => undefined }
  await internals.handleError(ofTheLostConnection, new UnavailableError())
  expect(String(troubles)).toContain('Failed to discover')
  expect(String(await failing)).toContain('Failed to discover')
})
