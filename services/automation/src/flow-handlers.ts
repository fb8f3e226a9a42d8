import { commandHandler } from '@prosa/kernel/domain/command-handler'
import { readFold } from '@prosa/kernel/domain/read-fold'
import type { Ports } from '@prosa/kernel/ports'
import { defaultFlow } from './default-flow.ts'
import { flow } from './flow.ts'
import { flowFolder } from './flow-folder.ts'
import { knownTrust } from './links/known-trust.ts'
import { flowOrder } from './order/flow-order.ts'
import { companyName } from './others/known-business.ts'
import { knownFields } from './others/known-fields.ts'
import { knownLabels } from './others/known-labels.ts'
import { isAccountErased, isFileStored, isLineOpen, knownConnection } from './others/known-resources.ts'
import { flowSecrets } from './secrets/flow-secrets.ts'

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
    order: commandHandler({ ...base, category: 'flowOrder', decider: flowOrder, foreign: 'flow_not_found' }),
    companies: readFold(base, 'company', companyName),
    secrets: commandHandler({
      ...base,
      category: 'flowSecret',
      decider: flowSecrets,
      foreign: 'too_many_flow_secrets',
    }),
    labels: readFold(base, 'label', knownLabels),
    fields: readFold(base, 'contactField', knownFields),
    trust: readFold(base, 'subscription', knownTrust),
    connections: readFold(base, 'connection', knownConnection),
    lines: readFold(base, 'connection', isLineOpen),
    files: readFold(base, 'media', isFileStored),
    accountErasures: readFold(base, 'user', isAccountErased),
  }
}

export type FlowHandlers = ReturnType<typeof flowHandlers>
