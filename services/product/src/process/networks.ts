import type { Connection } from '@prosa/contracts/http/connections'

type Network = Connection['network']

/** Default: WhatsApp's own. */
export type NetworkSettings = { name: 'whatsapp'; webSocketUrl?: string } | { name: 'simulator'; webSocketUrl: string }

/** The first is the default. */
export type Networks = readonly [NetworkSettings, ...NetworkSettings[]]

/** An address that is set is the only network; the simulator is added beside the real one. */
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
