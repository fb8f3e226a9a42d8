import { parseStream } from '@prosa/contracts/streams'
import { decisionsAtOnce } from '@prosa/kernel/consumers/decisions-at-once'
import { contextFor, type Reactor } from '@prosa/kernel/consumers/reactors/reactor'
import type { Logger } from '@prosa/kernel/observability/log'
import { commandPerson } from './contact/person.ts'
import type { ContactHandlers } from './handlers.ts'

type Handlers = Pick<ContactHandlers, 'contacts' | 'labels' | 'contactFields'> & { log: Pick<Logger, 'info'> }

const labelling = 'label-on-flow-label-requested'
const fieldSetting = 'set-field-on-flow-field-requested'

/** Ignores deleted labels and contacts. */
export const labelOnFlowLabelRequested = (handlers: Handlers): Reactor => ({
  name: labelling,
  categories: ['flowRun'],
  key: ({ stream }) => stream,
  atOnce: decisionsAtOnce,
  on: {
    async FlowLabelRequested(event) {
      const { tenant, correlationId } = event.metadata
      if (!tenant) throw new Error('a run of a flow without a tenant')
      const { labelId, isLabelled, flowId } = event.data
      const existing = [...(await handlers.labels.load(tenant, tenant)).existing.keys()]
      if (!existing.includes(labelId)) return
      const context = { ...contextFor(labelling, event), actor: { kind: 'flow', id: flowId } as const }
      const { outcome } = await commandPerson(
        handlers,
        tenant,
        parseStream(event.stream).id,
        isLabelled
          ? { type: 'LabelContact', data: { labelId, existing } }
          : { type: 'UnlabelContact', data: { labelId } },
        context,
      )
      if (!outcome.ok) handlers.log.info({ reason: outcome.rejected, correlationId }, 'no label by a flow')
    },
  },
})

/** Ignores deleted fields, and contacts that were erased. */
export const setFieldOnFlowFieldRequested = (handlers: Handlers): Reactor => ({
  name: fieldSetting,
  categories: ['flowRun'],
  key: ({ stream }) => stream,
  atOnce: decisionsAtOnce,
  on: {
    async FlowFieldRequested(event) {
      const { tenant, correlationId } = event.metadata
      if (!tenant) throw new Error('a run of a flow without a tenant')
      const { fieldId, type, value, flowId } = event.data
      const field = (await handlers.contactFields.load(tenant, tenant)).existing.get(fieldId)
      if (field?.type !== type) return
      const context = { ...contextFor(fieldSetting, event), actor: { kind: 'flow', id: flowId } as const }
      const command = { type: 'SetContactField', data: { fieldId, type, value } } as const
      const { outcome } = await commandPerson(handlers, tenant, parseStream(event.stream).id, command, context)
      if (!outcome.ok) handlers.log.info({ reason: outcome.rejected, correlationId }, 'no field set by a flow')
    },
  },
})
