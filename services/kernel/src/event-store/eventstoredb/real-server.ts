import { existsSync } from 'node:fs'

const image = 'eventstore/eventstore:23.10.6-bookworm-slim'
const port = 2113

const { EVENTSTORE_URL, DOCKER_HOST, XDG_RUNTIME_DIR } = process.env
const sockets = ['/var/run/docker.sock', `${XDG_RUNTIME_DIR}/docker.sock`]
const hasEngine = Boolean(DOCKER_HOST) || sockets.some((path) => existsSync(path))

export const noRealServer = EVENTSTORE_URL || hasEngine ? '' : ' (skipped: no EVENTSTORE_URL and no Docker engine)'

/** The shared server, which keeps test data, or a container. */
export const startRealServer = async (): Promise<{ url: string; stop(): Promise<void> }> => {
  if (EVENTSTORE_URL) return { url: EVENTSTORE_URL, stop: async () => undefined }
  const { GenericContainer, Wait } = await import('testcontainers')
  const container = await new GenericContainer(image)
    .withCommand(['--insecure', '--mem-db', '--cluster-size=1'])
    .withExposedPorts(port)
    .withWaitStrategy(Wait.forHttp('/health/live', port).forStatusCode(204))
    .start()
  const url = `esdb://${container.getHost()}:${container.getMappedPort(port)}?tls=false`
  return {
    url,
    async stop() {
      await container.stop()
    },
  }
}
