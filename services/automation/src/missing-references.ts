import type { FlowDocument, FlowNode, FlowNodeOf } from '@prosa/contracts/flows/flow-document'
import type { FlowProblem } from '@prosa/contracts/flows/flow-problem'
import { usesCompany } from '@prosa/contracts/flows/flow-texts'
import { filledUrl, sampleValues, secretsOfRequest } from '@prosa/contracts/flows/request-template'
import type { AnswerType } from '@prosa/contracts/values/answers/answer-type'
import type { TimeSlice } from '@prosa/kernel/async/time-slice'
import { namesForbiddenAddress, type Reach } from '@prosa/kernel/http/outbound/outbound'
import type { FlowDeps } from './flow-deps.ts'
import { knownFields } from './others/known-fields.ts'
import { knownLabels } from './others/known-labels.ts'
import { flowSecrets } from './secrets/flow-secrets.ts'

type Deps = Pick<FlowDeps, 'flows' | 'labels' | 'fields' | 'connections' | 'files' | 'companies' | 'secrets' | 'reach'>

const labelOf = ({ type, data }: FlowNode): string | null => {
  if (type === 'label') return data.labelId
  if (type === 'trigger' && data.start.kind === 'label_set') return data.start.labelId
  return type === 'condition' && data.test.kind === 'label' ? data.test.labelId : null
}

const fieldOf = ({ type, data }: FlowNode): { id: string; type: AnswerType } | undefined => {
  if (type === 'calculation') return data.fieldId === null ? undefined : { id: data.fieldId, type: 'number' }
  return type === 'question' && data.check?.fieldId ? { id: data.check.fieldId, type: data.check.type } : undefined
}

const problem = (kind: FlowProblem['kind'], nodeId: string | null, sentence: string): FlowProblem => ({
  kind,
  severity: 'error',
  nodeId,
  sentence,
})

const once = (load: (id: string) => Promise<boolean>) => {
  const known = new Map<string, boolean>()
  return async (id: string): Promise<boolean> => {
    const found = known.get(id) ?? (await load(id))
    known.set(id, found)
    return found
  }
}

const missingConnections = async (
  deps: Deps,
  tenant: string,
  connectionIds: readonly string[],
): Promise<FlowProblem[]> => {
  for (const id of new Set(connectionIds))
    if ((await deps.connections.load(id, tenant)) !== 'active')
      return [problem('no_connection', null, 'Uma conexão escolhida em Configurações não existe mais: desmarque-a.')]
  return []
}

/** `{empresa}` would leave a hole in what customers read. */
const emptyCompany = async ({ companies }: Deps, tenant: string, document: FlowDocument): Promise<FlowProblem[]> => {
  const nodeId = usesCompany(document)
  if (nodeId === undefined || (await companies.load(tenant, tenant)) !== '') return []
  return [problem('empty_variable', nodeId, 'O texto usa {empresa}, mas o nome da empresa está vazio: preencha-o.')]
}

const requestProblems = (
  { id, data }: FlowNodeOf<'request'>,
  secrets: Pick<ReadonlyMap<string, unknown>, 'has'>,
  reach: Reach,
): FlowProblem[] => {
  const url = filledUrl(data.url, sampleValues)
  const isPlain = url?.protocol === 'http:' && reach === 'public'
  return [
    ...(isPlain ? [problem('request_incomplete', id, 'O endereço da requisição começa por https://.')] : []),
    ...(url && !isPlain && namesForbiddenAddress(url, reach)
      ? [problem('request_incomplete', id, 'O endereço da requisição é de uma rede privada, aonde ela não pode ir.')]
      : []),
    ...secretsOfRequest(data)
      .filter((name) => !secrets.has(name))
      .map((name) => problem('no_secret', id, `O segredo “${name}” não existe: crie-o, ou escolha outro.`)),
  ]
}

/** References deleted since, or imported from another tenant. */
export const missingReferences = async (
  deps: Deps,
  tenant: string,
  document: FlowDocument,
  slice: TimeSlice,
): Promise<FlowProblem[]> => {
  const { flows, labels, secrets, reach } = deps
  const { nodes, settings } = document
  const fields = nodes.some((node) => fieldOf(node)) ? await deps.fields.load(tenant, tenant) : knownFields.initial
  const known = nodes.some((node) => labelOf(node) !== null) ? await labels.load(tenant, tenant) : knownLabels.initial
  const problems = [
    ...(await missingConnections(deps, tenant, settings.connectionIds)),
    ...(await emptyCompany(deps, tenant, document)),
  ]
  const namesSecrets = nodes.some((node) => node.type === 'request' && secretsOfRequest(node.data).length > 0)
  const knownSecrets = namesSecrets ? await secrets.load(tenant, tenant) : flowSecrets.initial
  const isMissing = once(async (flowId) => (await flows.load(flowId, tenant)).status !== 'standing')
  const hasFile = once((id) => deps.files.load(id, tenant))
  for (const node of nodes) {
    if (slice.isDue()) await slice.turn()
    const labelId = labelOf(node)
    if (labelId !== null && !known.has(labelId))
      problems.push(problem('no_label', node.id, 'Esta etiqueta não existe mais: escolha outra.'))
    const field = fieldOf(node)
    if (field && fields.get(field.id)?.type !== field.type)
      problems.push(
        problem('no_field', node.id, 'Este campo do contato não existe mais, ou guarda outro tipo: escolha outro.'),
      )
    if (node.type === 'request') problems.push(...requestProblems(node, knownSecrets, reach))
    const flowId = node.type === 'flow' ? node.data.flowId : null
    if (flowId !== null && (await isMissing(flowId)))
      problems.push(problem('no_flow', node.id, 'O fluxo seguinte não existe mais: escolha outro.'))
    const file = node.type === 'message' ? node.data.file : null
    if (file && !(await hasFile(file.file.id)))
      problems.push(problem('no_file', node.id, `O arquivo “${file.fileName}” não existe mais: envie-o de novo.`))
  }
  return problems
}
