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
import { ofMoment } from './past/moment.ts'

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

/** 'Rascunho' (never published), 'Ativo' (enabled), 'Inativo' (disabled). */
export const flowStatus = z.enum(['draft', 'active', 'inactive'])

const flow = z.object({
  id: flowId,
  name: z.string(),
  folderId: flowFolderId.nullable(),
  status: flowStatus,
  nodeCount: z.int().nonnegative(),
  /** Latest published version. */
  version: z.int().positive().nullable(),
  createdAt: instant,
  updatedAt: instant,
})

const flowDetail = flow.extend({
  document: flowDocument,
  /** Number of saves. */
  revision: z.int().nonnegative(),
  /** The draft differs from the published version. */
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
  publishedBy: z.string().nullable(),
  /** Changed nodes. */
  added: z.int().nonnegative(),
  removed: z.int().nonnegative(),
  changed: z.int().nonnegative(),
})

const removed = z.object({ id: z.string() })

export const flowFolderEndpoints = {
  list: endpoint({
    service: 'projections',
    method: 'GET',
    path: '/api/flow-folders',
    area: 'Automação',
    summary: 'As pastas de fluxos, por nome.',
    replies: { 200: z.array(folder) },
  }),
  create: endpoint({
    service: 'automation',
    method: 'POST',
    path: '/api/flow-folders',
    area: 'Automação',
    summary: 'Cria uma pasta.',
    body: folderBody,
    replies: { 201: folder },
  }),
  describe: endpoint({
    service: 'automation',
    method: 'PATCH',
    path: '/api/flow-folders/:id',
    area: 'Automação',
    summary: 'Muda o nome e a descrição de uma pasta.',
    body: folderBody,
    replies: { 200: folder },
  }),
  /** As '{name} (Cópia)', with its flows as drafts. */
  duplicate: endpoint({
    service: 'automation',
    method: 'POST',
    path: '/api/flow-folders/:id/duplicate',
    area: 'Automação',
    summary: 'Duplica uma pasta com os seus fluxos.',
    costs: 'large',
    replies: { 201: folder },
  }),
  remove: endpoint({
    service: 'automation',
    method: 'DELETE',
    path: '/api/flow-folders/:id',
    area: 'Automação',
    summary: 'Exclui uma pasta e todos os fluxos dentro dela.',
    replies: { 200: removed },
  }),
}

export const flowEndpoints = {
  /** At most 1,000. */
  list: endpoint({
    service: 'projections',
    method: 'GET',
    path: '/api/flows',
    area: 'Automação',
    summary: 'Os fluxos da conta, do último que mudou.',
    replies: { 200: z.array(flow) },
  }),
  /** Default: the starter flow; `origin: 'import'` for a file. */
  create: endpoint({
    service: 'automation',
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
    service: 'projections',
    method: 'GET',
    path: '/api/flows/:id',
    area: 'Automação',
    summary: 'Um fluxo com o seu rascunho; com em, o que estava publicado então.',
    costs: 'large',
    query: ofMoment,
    replies: { 200: flowDetail },
  }),
  change: endpoint({
    service: 'automation',
    method: 'PATCH',
    path: '/api/flows/:id',
    area: 'Automação',
    summary: 'Muda o nome ou a pasta de um fluxo.',
    body: z.object({ name: nameOf(wantedName).optional(), folderId: flowFolderId.nullable().optional() }),
    replies: { 200: flow },
  }),
  duplicate: endpoint({
    service: 'automation',
    method: 'POST',
    path: '/api/flows/:id/duplicate',
    area: 'Automação',
    summary: 'Duplica um fluxo como rascunho, com “(Cópia)” no nome.',
    costs: 'large',
    replies: { 201: flow },
  }),
  remove: endpoint({
    service: 'automation',
    method: 'DELETE',
    path: '/api/flows/:id',
    area: 'Automação',
    summary: 'Exclui um fluxo. O que está em andamento nele termina.',
    replies: { 200: removed },
  }),
  /** 409 `flow_draft_conflict` after another save since `basedOn`. */
  saveDraft: endpoint({
    service: 'automation',
    method: 'PUT',
    path: '/api/flows/:id/draft',
    area: 'Automação',
    summary: 'Salva o rascunho de um fluxo.',
    costs: 'large',
    body: z.object({ document: flowDocument, basedOn: z.int().nonnegative() }),
    replies: { 200: z.object({ id: flowId, revision: z.int().nonnegative(), updatedAt: instant }) },
  }),
  /** `flow_has_errors` while a check finds errors. */
  publish: endpoint({
    service: 'automation',
    method: 'POST',
    path: '/api/flows/:id/publish',
    area: 'Automação',
    summary: 'Publica o rascunho como nova versão e liga o fluxo.',
    costs: 'computing',
    body: z.object({ basedOn: z.int().nonnegative() }),
    replies: { 200: flow },
  }),
  turn: endpoint({
    service: 'automation',
    method: 'PUT',
    path: '/api/flows/:id/on',
    area: 'Automação',
    summary: 'Liga ou desliga um fluxo publicado.',
    body: z.object({ isOn: z.boolean({ error: 'Diga se o fluxo fica ligado.' }) }),
    replies: { 200: flow },
  }),
  /** With server-only checks, such as patterns. */
  check: endpoint({
    service: 'automation',
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
    service: 'projections',
    method: 'GET',
    path: '/api/flows/:id/versions',
    area: 'Automação',
    summary: 'As versões publicadas de um fluxo, da última.',
    replies: { 200: z.array(flowVersion) },
  }),
  version: endpoint({
    service: 'projections',
    method: 'GET',
    path: '/api/flows/:id/versions/:version',
    area: 'Automação',
    summary: 'Uma versão publicada, inteira.',
    costs: 'large',
    replies: { 200: flowVersion.extend({ document: flowDocument }) },
  }),
  /** Only the draft changes. */
  restore: endpoint({
    service: 'automation',
    method: 'POST',
    path: '/api/flows/:id/versions/:version/restore',
    area: 'Automação',
    summary: 'Faz de uma versão publicada o rascunho.',
    costs: 'large',
    body: z.object({ basedOn: z.int().nonnegative() }),
    replies: { 200: flowDetail },
  }),
  /** `prosa-flow` version 1. */
  export: endpoint({
    service: 'projections',
    method: 'GET',
    path: '/api/flows/:id/file',
    area: 'Automação',
    summary: 'O rascunho de um fluxo como arquivo.',
    costs: 'large',
    replies: { 200: flowFile },
  }),
  readDefault: endpoint({
    service: 'projections',
    method: 'GET',
    path: '/api/default-flow',
    area: 'Automação',
    summary: 'O fluxo padrão, que recebe contatos novos.',
    replies: { 200: z.object({ flowId: flowId.nullable() }) },
  }),
  chooseDefault: endpoint({
    service: 'automation',
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
