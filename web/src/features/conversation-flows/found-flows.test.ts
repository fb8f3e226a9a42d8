import type { Flow, FlowFolder } from '@prosa/contracts/http/flows'
import { expect, it } from 'vitest'
import { fileNameOf } from './api.ts'
import { freeName } from './automation-builder-page.tsx'
import { type FlowFilters, foundFlows, foundFolders, noFolder } from './found-flows.ts'

const noon = (day: string) => `${day}T12:00:00.000Z`
const flowOf = (id: string, of: Partial<Flow> = {}): Flow => ({
  id,
  name: id,
  folderId: null,
  status: 'draft',
  nodeCount: 2,
  version: null,
  createdAt: noon('2026-11-01'),
  updatedAt: noon('2026-11-01'),
  ...of,
})
const folderOf = (id: string, of: Partial<FlowFolder> = {}): FlowFolder => ({
  ...{ id, name: id, description: '', flowCount: 0 },
  ...{ createdAt: noon('2026-11-01'), updatedAt: noon('2026-11-01') },
  ...of,
})
const all: FlowFilters = { search: '', status: '', folder: '', from: '', to: '' }
const flows = [
  flowOf('Saudação', { folderId: 'vendas', status: 'active', updatedAt: noon('2026-11-10') }),
  flowOf('Pesquisa', { status: 'inactive' }),
  flowOf('Promoção', { folderId: 'vendas' }),
]
const found = (filters: Partial<FlowFilters>) => foundFlows(flows, { ...all, ...filters }).map(({ id }) => id)

it('finds flows by name without case and accents', () => {
  expect(found({})).toEqual(['Saudação', 'Pesquisa', 'Promoção'])
  expect(found({ search: ' cao ' })).toEqual(['Saudação', 'Promoção'])
})

it('narrows flows to a status, a folder or none, and days of which both ends count', () => {
  expect(found({ status: 'inactive' })).toEqual(['Pesquisa'])
  expect(found({ folder: 'vendas', search: 's' })).toEqual(['Saudação'])
  expect(found({ folder: noFolder })).toEqual(['Pesquisa'])
  expect(found({ from: '2026-11-10', to: '2026-11-10' })).toEqual(['Saudação'])
  expect(found({ to: '2026-11-09' })).toEqual(['Pesquisa', 'Promoção'])
})

it('finds folders by name or description, whatever the status and the folder of flows', () => {
  const folders = [
    folderOf('Vendas'),
    folderOf('Outra', { description: 'Só pós-VENDAS', updatedAt: noon('2026-11-10') }),
  ]
  const ids = (filters: Partial<FlowFilters>) => foundFolders(folders, { ...all, ...filters }).map(({ id }) => id)
  expect(ids({ search: 'vendas', status: 'active', folder: 'x' })).toEqual(['Vendas', 'Outra'])
  expect(ids({ search: 'pos' })).toEqual(['Outra'])
  expect(ids({ from: '2026-11-02' })).toEqual(['Outra'])
})

it('names a new flow with the first number that is free', () => {
  expect(freeName(['Outro'])).toBe('Novo fluxo')
  expect(freeName(['Novo fluxo 3', 'Novo fluxo'])).toBe('Novo fluxo 2')
})

it('names a file after its flow, in signs that every system has', () => {
  expect(fileNameOf('  Olá, mundo! ')).toBe('ola-mundo.json')
  expect(fileNameOf('😀')).toBe('fluxo.json')
})
