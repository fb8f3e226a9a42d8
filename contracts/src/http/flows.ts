import { z } from 'zod'
import {
  flowDocument,
  flowFile,
  flowFolderId,
  flowId,
  maximumFlowNameLength,
  maximumFolderDescriptionLength,
} from '../flows/flow-document.ts'
import { flowProblem } from '../flows/flow-problem.ts'
import { instant } from '../values/instant.ts'
import { endpoint } from './endpoint.ts'

const wantedName = 'Dê um nome ao fluxo.'
const wantedFolderName = 'Dê um nome à pasta.'

const nameOf = (wanted: string) =>
  z
    .string({ error: wanted })
    .trim()
    .min(1, wanted)
    .max(maximumFlowNameLength, `O nome pode ter no máximo ${maximumFlowNameLength} caracteres.`)

const folder = z.object({
  id: flowFolderId,
  name: z.string(),
  description: z.string(),
  flowCount: z.int().nonnegative(),
  createdAt: instant,
  updatedAt: instant,
})

/** `draft` is 'Rascunho' (never published), `active` 'Ativo' (published and on), `inactive` 'Inativo' (published and off). */
export const flowStatus = z.enum(['draft', 'active', 'inactive'])

const flow = z.object({
  id: flowId,
  name: z.string(),
  folderId: flowFolderId.nullable(),
  status: flowStatus,
  nodeCount: z.int().nonnegative(),
  /** The version that runs, or would; null before the first. */
  version: z.int().positive().nullable(),
  createdAt: instant,
  updatedAt: instant,
})

const flowDetail = flow.extend({
  /** The draft, which may differ from what was published. */
  document: flowDocument,
  /** Counts savings: what a saving is based on. */
  revision: z.int().nonnegative(),
  /** Whether the draft differs from the version that runs; true before the first. */
  isChanged: z.boolean(),
})

const folderBody = z.object({
  name: nameOf(wantedFolderName),
  description: z
    .string()
    .trim()
    .max(maximumFolderDescriptionLength, `A descrição pode ter no máximo ${maximumFolderDescriptionLength} caracteres.`)
    .default(''),
})

const flowVersion = z.object({
  version: z.int().positive(),
  publishedAt: instant,
  /** Who published it; null where the account is erased. */
  publishedBy: z.string().nullable(),
  /** What changed since the version before: nodes. */
  added: z.int().nonnegative(),
  removed: z.int().nonnegative(),
  changed: z.int().nonnegative(),
})

const removed = z.object({ id: z.string() })

export const flowFolderEndpoints = {
  list: endpoint({
    method: 'GET',
    path: '/api/flow-folders',
    area: 'Automação',
    summary: 'As pastas de fluxos, por nome.',
    replies: { 200: z.array(folder) },
  }),
  create: endpoint({
    method: 'POST',
    path: '/api/flow-folders',
    area: 'Automação',
    summary: 'Cria uma pasta.',
    body: folderBody,
    replies: { 201: folder },
  }),
  describe: endpoint({
    method: 'PATCH',
    path: '/api/flow-folders/:id',
    area: 'Automação',
    summary: 'Muda o nome e a descrição de uma pasta.',
    body: folderBody,
    replies: { 200: folder },
  }),
  /** Named '{name} (Cópia)', with copies of its flows, as drafts. */
  duplicate: endpoint({
    method: 'POST',
    path: '/api/flow-folders/:id/duplicate',
    area: 'Automação',
    summary: 'Duplica uma pasta com os seus fluxos.',
    costs: 'large',
    replies: { 201: folder },
  }),
  remove: endpoint({
    method: 'DELETE',
    path: '/api/flow-folders/:id',
    area: 'Automação',
    summary: 'Exclui uma pasta e todos os fluxos dentro dela.',
    replies: { 200: removed },
  }),
}

export const flowEndpoints = {
  /** All of the account: an account has at most 1,000. */
  list: endpoint({
    method: 'GET',
    path: '/api/flows',
    area: 'Automação',
    summary: 'Os fluxos da conta, do último que mudou.',
    replies: { 200: z.array(flow) },
  }),
  /** Without a document it begins with the starter flow; `origin: 'import'` of what was read from a file. */
  create: endpoint({
    method: 'POST',
    path: '/api/flows',
    area: 'Automação',
    summary: 'Cria um fluxo como rascunho, vazio ou importado.',
    costs: 'computing',
    body: z.object({
      name: nameOf(wantedName),
      folderId: flowFolderId.nullable().default(null),
      document: flowDocument.optional(),
    }),
    replies: { 201: flow },
  }),
  read: endpoint({
    method: 'GET',
    path: '/api/flows/:id',
    area: 'Automação',
    summary: 'Um fluxo com o seu rascunho.',
    costs: 'large',
    replies: { 200: flowDetail },
  }),
  /** What is left out stays. */
  change: endpoint({
    method: 'PATCH',
    path: '/api/flows/:id',
    area: 'Automação',
    summary: 'Muda o nome ou a pasta de um fluxo.',
    body: z.object({ name: nameOf(wantedName).optional(), folderId: flowFolderId.nullable().optional() }),
    replies: { 200: flow },
  }),
  duplicate: endpoint({
    method: 'POST',
    path: '/api/flows/:id/duplicate',
    area: 'Automação',
    summary: 'Duplica um fluxo como rascunho, com “(Cópia)” no nome.',
    costs: 'large',
    replies: { 201: flow },
  }),
  remove: endpoint({
    method: 'DELETE',
    path: '/api/flows/:id',
    area: 'Automação',
    summary: 'Exclui um fluxo. O que está em andamento nele termina.',
    replies: { 200: removed },
  }),
  /** Refused with `flow_draft_conflict` where the draft was saved by somebody else since `basedOn`. */
  saveDraft: endpoint({
    method: 'PUT',
    path: '/api/flows/:id/draft',
    area: 'Automação',
    summary: 'Salva o rascunho de um fluxo.',
    costs: 'large',
    body: z.object({ document: flowDocument, basedOn: z.int().nonnegative() }),
    replies: { 200: z.object({ id: flowId, revision: z.int().nonnegative(), updatedAt: instant }) },
  }),
  /** Refused with `flow_has_errors` while `checkFlow` (and the patterns' own check) finds errors; warnings do not count. */
  publish: endpoint({
    method: 'POST',
    path: '/api/flows/:id/publish',
    area: 'Automação',
    summary: 'Publica o rascunho como nova versão e liga o fluxo.',
    costs: 'computing',
    body: z.object({ basedOn: z.int().nonnegative() }),
    replies: { 200: flow },
  }),
  turn: endpoint({
    method: 'PUT',
    path: '/api/flows/:id/on',
    area: 'Automação',
    summary: 'Liga ou desliga um fluxo publicado.',
    body: z.object({ isOn: z.boolean({ error: 'Diga se o fluxo fica ligado.' }) }),
    replies: { 200: flow },
  }),
  /** Also what only the server can check, such as patterns. */
  check: endpoint({
    method: 'POST',
    path: '/api/flows/check',
    area: 'Automação',
    changesNothing: true,
    summary: 'Os problemas de um fluxo, sem salvar nada.',
    costs: 'computing',
    body: z.object({ document: flowDocument }),
    replies: { 200: z.array(flowProblem) },
  }),
  versions: endpoint({
    method: 'GET',
    path: '/api/flows/:id/versions',
    area: 'Automação',
    summary: 'As versões publicadas de um fluxo, da última.',
    replies: { 200: z.array(flowVersion) },
  }),
  version: endpoint({
    method: 'GET',
    path: '/api/flows/:id/versions/:version',
    area: 'Automação',
    summary: 'Uma versão publicada, inteira.',
    costs: 'large',
    replies: { 200: flowVersion.extend({ document: flowDocument }) },
  }),
  /** Becomes the draft; what is published stays until the draft is. */
  restore: endpoint({
    method: 'POST',
    path: '/api/flows/:id/versions/:version/restore',
    area: 'Automação',
    summary: 'Faz de uma versão publicada o rascunho.',
    costs: 'large',
    body: z.object({ basedOn: z.int().nonnegative() }),
    replies: { 200: flowDetail },
  }),
  /** `prosa-flow`, version 1, as a JSON file named after the flow. */
  export: endpoint({
    method: 'GET',
    path: '/api/flows/:id/file',
    area: 'Automação',
    summary: 'O rascunho de um fluxo como arquivo.',
    costs: 'large',
    replies: { 200: flowFile },
  }),
  readDefault: endpoint({
    method: 'GET',
    path: '/api/default-flow',
    area: 'Automação',
    summary: 'O fluxo padrão, que recebe contatos novos.',
    replies: { 200: z.object({ flowId: flowId.nullable() }) },
  }),
  chooseDefault: endpoint({
    method: 'PUT',
    path: '/api/default-flow',
    area: 'Automação',
    summary: 'Escolhe o fluxo padrão, ou nenhum.',
    body: z.object({ flowId: flowId.nullable() }),
    replies: { 200: z.object({ flowId: flowId.nullable() }) },
  }),
}

export type FlowFolder = z.infer<typeof folder>
export type Flow = z.infer<typeof flow>
export type FlowDetail = z.infer<typeof flowDetail>
export type FlowStatus = z.infer<typeof flowStatus>
export type FlowVersion = z.infer<typeof flowVersion>
