import type { FlowDocument } from '@prosa/contracts/flows/flow-document'
import { deriveId } from '@prosa/kernel/derive-id'
import { afterSalesFlows } from './after-sales-flows.ts'
import { salesFlows } from './sales-flows.ts'
import { serviceFlows } from './service-flows.ts'

interface SampleFolder {
  id: string
  name: string
  description: string
  contents: { id: string; name: string; document: FlowDocument }[]
}

/** Ids derive from names: a renamed sample is created again for everybody. */
const folders = [
  { name: 'Atendimento Básico', description: 'Receba quem escreve, dentro e fora do horário', flows: serviceFlows },
  { name: 'Vendas', description: 'Do primeiro interesse ao pedido', flows: salesFlows },
  { name: 'Pós-vendas', description: 'Agradeça, pergunte como foi e resolva', flows: afterSalesFlows },
] as const

export const sampleFolders = (tenant: string): SampleFolder[] =>
  folders.map(({ name, description, flows }) => ({
    id: deriveId('sample folder', tenant, name),
    name,
    description,
    contents: flows.map((flow) => ({ id: deriveId('sample flow', tenant, flow.name), ...flow })),
  }))
