import type { Flow, FlowFolder } from '@prosa/contracts/http/flows'
import { type QueryClient, queryOptions } from '@tanstack/react-query'
import { flowsQuery } from '../../lib/account/flows.ts'
import { plainText } from '../../lib/format/plain-text.ts'
import { call } from '../../lib/http/call.ts'
import { saveFile } from '../../lib/http/data-export.ts'
import { failedBecause } from '../../lib/http/http.ts'
import { type Command, useCommand } from '../../lib/http/use-command.ts'

export const foldersQuery = queryOptions({
  queryKey: ['flows', 'folders'],
  queryFn: ({ signal }) => call('GET /api/flow-folders', { signal }),
  staleTime: 0,
})

const listKeys = [flowsQuery.queryKey, foldersQuery.queryKey] as const

const setFlows = (queries: QueryClient, change: (flows: Flow[]) => Flow[]) =>
  queries.setQueryData(flowsQuery.queryKey, (known) => known && change(known))

const setFolders = (queries: QueryClient, change: (folders: FlowFolder[]) => FlowFolder[]) =>
  queries.setQueryData(foldersQuery.queryKey, (known) => known && change(known))

/** The flow that changed last comes first. */
export const withFlow = (queries: QueryClient, flow: Flow) =>
  setFlows(queries, (flows) => [flow, ...flows.filter(({ id }) => id !== flow.id)])

const withFolder = (queries: QueryClient, folder: FlowFolder) =>
  setFolders(queries, (folders) =>
    [...folders.filter(({ id }) => id !== folder.id), folder].sort((a, b) => a.name.localeCompare(b.name, 'pt-BR')),
  )

/** Both lists are read again. */
export const useFlowCommand = <Input, Reply>(command: Command<Input, Reply>) =>
  useCommand({ ...command, rereads: listKeys })

export const useCreateFlow = (folderId: string | null) =>
  useFlowCommand({
    run: (name: string) => call('POST /api/flows', { body: { name, folderId } }),
    done: 'Fluxo criado com sucesso!',
    failed: 'Falha ao criar fluxo',
    apply: withFlow,
  })

export const useRenameFlow = (id: string) =>
  useFlowCommand({
    run: (name: string) => call('PATCH /api/flows/:id', { params: { id }, body: { name } }),
    done: 'Fluxo renomeado com sucesso!',
    failed: 'Falha ao renomear fluxo',
    apply: withFlow,
  })

export const useMoveFlow = () =>
  useFlowCommand({
    run: ({ id, folderId }: Pick<Flow, 'id' | 'folderId'>) =>
      call('PATCH /api/flows/:id', { params: { id }, body: { folderId } }),
    done: 'Fluxo movido com sucesso!',
    failed: 'Falha ao mover fluxo',
    apply: withFlow,
  })

export const useDuplicateFlow = () =>
  useFlowCommand({
    run: (id: string) => call('POST /api/flows/:id/duplicate', { params: { id } }),
    done: 'Fluxo duplicado com sucesso!',
    failed: 'Falha ao duplicar fluxo',
    apply: withFlow,
  })

export const useDeleteFlow = () =>
  useFlowCommand({
    run: (id: string) => call('DELETE /api/flows/:id', { params: { id } }),
    done: 'Fluxo excluído com sucesso!',
    failed: 'Falha ao excluir fluxo',
    apply: (queries, _reply, deleted) => setFlows(queries, (flows) => flows.filter(({ id }) => id !== deleted)),
  })

/** 'Olá, mundo' → 'ola-mundo.json' */
export const fileNameOf = (name: string): string =>
  `${
    plainText(name)
      .replace(/[^a-z0-9]+/g, '-')
      .replace(/^-|-$/g, '') || 'fluxo'
  }.json`

/** Fetches the file: with a plain link the browser would show a refusal in its own words. */
export const useExportFlow = () =>
  useFlowCommand({
    run: async ({ id, name }: Pick<Flow, 'id' | 'name'>) => {
      const file = await call('GET /api/flows/:id/file', { params: { id } })
      saveFile(new Blob([JSON.stringify(file, null, 2)], { type: 'application/json' }), fileNameOf(name))
    },
    done: 'Fluxo exportado: o arquivo está nos seus downloads.',
    failed: 'Falha ao exportar fluxo',
  })

export const useTurnFlow = () =>
  useFlowCommand({
    run: ({ id, isOn }: { id: string; isOn: boolean }) =>
      call('PUT /api/flows/:id/on', { params: { id }, body: { isOn } }),
    expect: async (queries, { id, isOn }) => {
      const show = (isOn: boolean) =>
        setFlows(queries, (flows) =>
          flows.map((flow) => (flow.id === id ? { ...flow, status: isOn ? 'active' : 'inactive' } : flow)),
        )
      await queries.cancelQueries({ queryKey: flowsQuery.queryKey })
      show(isOn)
      return () => show(!isOn)
    },
    done: (_flow, { isOn }) => (isOn ? 'Fluxo ligado com sucesso!' : 'Fluxo desligado com sucesso!'),
    failed: (error, { isOn }) => failedBecause(isOn ? 'Falha ao ligar fluxo' : 'Falha ao desligar fluxo', error),
  })

export type FolderDraft = Pick<FlowFolder, 'name' | 'description'>

/** Creates a folder, or changes the one with this id. */
export const useSaveFolder = (id: string | undefined) =>
  useFlowCommand({
    run: (body: FolderDraft) =>
      id === undefined
        ? call('POST /api/flow-folders', { body })
        : call('PATCH /api/flow-folders/:id', { params: { id }, body }),
    done: id === undefined ? 'Pasta criada com sucesso!' : 'Pasta atualizada com sucesso!',
    failed: id === undefined ? 'Falha ao criar pasta' : 'Falha ao atualizar pasta',
    apply: withFolder,
  })

export const useDuplicateFolder = () =>
  useFlowCommand({
    run: (id: string) => call('POST /api/flow-folders/:id/duplicate', { params: { id } }),
    done: 'Pasta duplicada com sucesso!',
    failed: 'Falha ao duplicar pasta',
    apply: withFolder,
  })

export const useDeleteFolder = () =>
  useFlowCommand({
    run: (id: string) => call('DELETE /api/flow-folders/:id', { params: { id } }),
    done: 'Pasta excluída com sucesso!',
    failed: 'Falha ao excluir pasta',
    apply: (queries, _reply, deleted) => {
      setFolders(queries, (folders) => folders.filter(({ id }) => id !== deleted))
      setFlows(queries, (flows) => flows.filter(({ folderId }) => folderId !== deleted))
    },
  })
