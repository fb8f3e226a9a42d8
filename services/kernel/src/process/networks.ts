import type { Connection } from '@prosa/contracts/http/connections'

type Network = Connection['network']

/** A network and where it is; without an address, WhatsApp's own. */
export type NetworkSettings = { name: 'whatsapp'; webSocketUrl?: string } | { name: 'simulator'; webSocketUrl: string }

/** The first one is for connections that name none. */
export type Networks = readonly [NetworkSettings, ...NetworkSettings[]]

/** Which networks connections may link to. An address that is set is the only one; a simulator stands beside the real network. */
export const networksOf = (webSocketUrl: string | undefined, simulatorUrl: string | undefined): Networks => {
  if (webSocketUrl !== undefined) {
    const isReal = URL.canParse(webSocketUrl) && new URL(webSocketUrl).hostname === 'web.whatsapp.com'
    return [{ name: isReal ? 'whatsapp' : 'simulator', webSocketUrl }]
  }
  if (simulatorUrl === undefined) return [{ name: 'whatsapp' }]
  return [{ name: 'simulator', webSocketUrl: simulatorUrl }, { name: 'whatsapp' }]
}

export const networkNames = ([first, ...others]: Networks): [Network, ...Network[]] => [
  first.name,
  ...others.map(({ name }) => name),
]
