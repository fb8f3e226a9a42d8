import { commandHandler } from '@prosa/kernel/domain/command-handler'
import type { Ports } from '@prosa/kernel/ports'
import { defaultFlow } from './default-flow.ts'
import { flow } from './flow.ts'
import { flowFolder } from './flow-folder.ts'
import { knownLabels } from './known-labels.ts'
import { knownTrust } from './links/known-trust.ts'

export const flowHandlers = (ports: Pick<Ports, 'store' | 'codec' | 'clock' | 'snapshots'>) => {
  const { store, codec, clock, snapshots } = ports
  const base = { store, codec, clock, snapshots }
  return {
    flows: commandHandler({ ...base, category: 'flow', decider: flow, foreign: 'flow_not_found' }),
    folders: commandHandler({
      ...base,
      category: 'flowFolder',
      decider: flowFolder,
      foreign: 'flow_folder_not_found',
    }),
    labels: commandHandler({ ...base, category: 'label', decider: knownLabels, foreign: 'label_not_found' }),
    trust: commandHandler({ ...base, category: 'subscription', decider: knownTrust, foreign: 'user_not_found' }),
    defaults: commandHandler({ ...base, category: 'defaultFlow', decider: defaultFlow, foreign: 'flow_not_found' }),
  }
}

export type FlowHandlers = ReturnType<typeof flowHandlers>
