import { type Host, type HostOptions, host } from '@prosa/kernel/host'
import type { Service } from '@prosa/kernel/ports'
import type { OpenPorts } from './ports.ts'

/**
 * Runs the services until a signal comes or the launcher goes away, then drains in order: host, ports, database.
 * Resolves when the process may end.
 */
export const runUntilStopped = async (
  services: readonly Service[],
  ports: OpenPorts,
  options: HostOptions,
  { ready, stopped }: { ready: (host: Host) => void; stopped: () => Promise<void> },
): Promise<void> => {
  const asked = new Promise<string>((resolve) => {
    for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.once(signal, () => resolve(signal))
    if (process.channel) process.once('disconnect', () => resolve('the launcher ended'))
  })
  const running = await host(services, ports, options)
  ready(running)
  ports.log.info({ why: await asked }, 'stopping')
  await running.stop()
  await ports.close()
  await stopped()
}
