import { once } from 'node:events'
import { createServer } from 'node:net'
import type {} from '@prosa/kernel/postgres/testing'
import type { TestProject } from 'vitest/node'
import { startTestCluster, type TestCluster } from './test-cluster.ts'

/** One PostgreSQL per run, started by the first test that needs it. */
export const setup = async (project: TestProject): Promise<() => Promise<void>> => {
  let cluster: Promise<TestCluster> | undefined
  const server = createServer((socket) => {
    socket.on('error', () => socket.destroy())
    cluster ??= startTestCluster()
    cluster.then(
      ({ url }) => socket.end(JSON.stringify({ url })),
      (error: Error) => socket.end(JSON.stringify({ error: error.message })),
    )
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  if (!address || typeof address === 'string') throw new Error('the system gave no port')
  project.provide('testPostgresPort', address.port)
  return async () => {
    server.close()
    const started = await cluster?.catch(() => undefined)
    await started?.remove()
  }
}
