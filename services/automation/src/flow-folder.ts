import type { EventOf } from '@prosa/contracts/events/all-events'
import type { flowFolderEvents } from '@prosa/contracts/events/automation'
import type { Decider } from '@prosa/kernel/domain/decider'

interface Texts {
  name: string
  description: string
}

export type FlowFolderCommand =
  | { type: 'CreateFlowFolder'; data: Texts & { isSample: boolean } }
  | { type: 'DescribeFlowFolder'; data: Texts }
  | { type: 'DeleteFlowFolder'; data: Record<never, never> }

export type FlowFolderEvent = EventOf<typeof flowFolderEvents>

export type FlowFolderRefusal = 'flow_folder_not_found'

export interface FlowFolder extends Texts {
  status: 'none' | 'active' | 'deleted'
}

export const flowFolder: Decider<FlowFolderCommand, FlowFolderEvent, FlowFolder, FlowFolderRefusal> = {
  initial: { status: 'none', name: '', description: '' },

  decide: {
    CreateFlowFolder: ({ status }, data) => (status === 'none' ? [{ type: 'FlowFolderCreated', data }] : []),
    DescribeFlowFolder: ({ status, ...known }, { name, description }) => {
      if (status !== 'active') return { rejected: 'flow_folder_not_found' }
      if (name === known.name && description === known.description) return []
      return [{ type: 'FlowFolderDescribed', data: { name, description } }]
    },
    DeleteFlowFolder: ({ status }) => {
      if (status === 'deleted') return []
      return status === 'none' ? { rejected: 'flow_folder_not_found' } : [{ type: 'FlowFolderDeleted', data: {} }]
    },
  },

  evolve: {
    FlowFolderCreated: (_, { name, description }) => ({ status: 'active', name, description }),
    FlowFolderDescribed: (state, { name, description }) => ({ ...state, name, description }),
    FlowFolderDeleted: () => ({ status: 'deleted', name: '', description: '' }),
  },
}
