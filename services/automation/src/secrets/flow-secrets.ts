import type { EventOf } from '@prosa/contracts/events/all-events'
import type { flowSecretEvents } from '@prosa/contracts/events/automation'
import { maximumFlowSecrets } from '@prosa/contracts/flows/flow-limits'
import type { Decider } from '@prosa/kernel/domain/decider'

type FlowSecretEvent = EventOf<typeof flowSecretEvents>
type Stored = Extract<FlowSecretEvent, { type: 'FlowSecretStored' }>['data']

export type FlowSecretCommand =
  | { type: 'StoreFlowSecret'; data: Stored }
  | { type: 'RemoveFlowSecret'; data: { name: string } }
  /** The account was erased. */
  | { type: 'RemoveAllFlowSecrets'; data: Record<never, never> }

export type FlowSecretRefusal = 'too_many_flow_secrets'

/** By name. */
export type FlowSecrets = ReadonlyMap<string, Pick<Stored, 'encrypted' | 'keyId'>>

/** Stream `flowSecret-<user id>`. */
export const flowSecrets: Decider<FlowSecretCommand, FlowSecretEvent, FlowSecrets, FlowSecretRefusal> = {
  initial: new Map(),
  decide: {
    StoreFlowSecret: (secrets, data) => {
      if (!secrets.has(data.name) && secrets.size >= maximumFlowSecrets) return { rejected: 'too_many_flow_secrets' }
      return [{ type: 'FlowSecretStored', data }]
    },
    RemoveFlowSecret: (secrets, { name }) => (secrets.has(name) ? [{ type: 'FlowSecretRemoved', data: { name } }] : []),
    RemoveAllFlowSecrets: (secrets) =>
      [...secrets.keys()].map((name) => ({ type: 'FlowSecretRemoved', data: { name } })),
  },
  evolve: {
    FlowSecretStored: (secrets, { name, encrypted, keyId }) => new Map(secrets).set(name, { encrypted, keyId }),
    FlowSecretRemoved: (secrets, { name }) => new Map([...secrets].filter(([each]) => each !== name)),
  },
}
