import { commandHandler } from '@prosa/kernel/domain/command-handler'
import { readFold } from '@prosa/kernel/domain/read-fold'
import type { Ports } from '@prosa/kernel/ports'
import { defaultFlow } from './default-flow.ts'
import { flow } from './flow.ts'
import { flowFolder } from './flow-folder.ts'
import { knownTrust } from './links/known-trust.ts'
import { knownFields } from './others/known-fields.ts'
import { knownLabels } from './others/known-labels.ts'
import { isAccountErased, isFileStored, knownConnection } from './others/known-resources.ts'

export const flowHandlers = (ports: Pick<Ports, 'store' | 'codec' | 'clock' | 'snapshots'>) => {
  const { store, codec, clock, snapshots } = ports
  const base = { store, codec, clock, snapshots, service: 'automation' } as const
  return {
    flows: commandHandler({ ...base, category: 'flow', decider: flow, foreign: 'flow_not_found' }),
    folders: commandHandler({
      ...base,
      category: 'flowFolder',
      decider: flowFolder,
      foreign: 'flow_folder_not_found',
    }),
    defaults: commandHandler({ ...base, category: 'defaultFlow', decider: defaultFlow, foreign: 'flow_not_found' }),
    labels: readFold(base, 'label', knownLabels),
    fields: readFold(base, 'contactField', knownFields),
    trust: readFold(base, 'subscription', knownTrust),
    connections: readFold(base, 'connection', knownConnection),
    files: readFold(base, 'media', isFileStored),
    accountErasures: readFold(base, 'user', isAccountErased),
  }
}

export type FlowHandlers = ReturnType<typeof flowHandlers>
