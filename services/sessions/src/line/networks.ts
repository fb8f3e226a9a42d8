import type { Networks } from '@prosa/product/process/networks'
import type { Network } from '../domain/connection.ts'
import { webSocketAddress } from '../gateway/web-socket-address.ts'

/** undefined: WhatsApp's own address. Throws `ForeignWebSocketAddress`. */
export const networkAddresses = (networks: Networks, production: boolean): Map<Network, URL | undefined> =>
  new Map(
    networks.map(({ name, webSocketUrl }) => [
      name,
      webSocketUrl === undefined ? undefined : webSocketAddress(webSocketUrl, { production }),
    ]),
  )
