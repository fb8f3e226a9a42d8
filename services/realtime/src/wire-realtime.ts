import type { Service } from '@prosa/product/ports'
import type { Config } from '@prosa/product/process/config'
import { networksOf } from '@prosa/product/process/networks'
import { readConnections } from '@prosa/projections/connections/queries'
import { realtime } from './realtime.ts'

export const wireRealtime = ({ webSocketUrl, simulatorUrl, trustedOrigins }: Config): Service => {
  const [{ name }] = networksOf(webSocketUrl, simulatorUrl)
  return realtime({ readConnections: (ports) => readConnections(ports, name), trustedOrigins })
}
