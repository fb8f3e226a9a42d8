import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path/posix'
import { inRoot } from './root.mjs'
import { workspaces } from './workspaces.mjs'

/** Which workspaces each may import. Tests and measurements of a workspace may also import what `inTests` adds. */
const rules = [
  { of: /^contracts$/, may: [] },
  { of: /^services\/kernel$/, may: ['contracts'] },
  { of: /^services\/sessions$/, may: ['contracts', 'kernel'], inTests: ['sandbox'] },
  { of: /^services\/[^/]+$/, may: ['contracts', 'kernel'] },
  { of: /^projections$/, may: ['contracts', 'kernel'] },
  { of: /^web$/, may: ['contracts'] },
  { of: /^deploy$/, may: 'everything' },
]

const adapters = /^@prosa\/kernel\/(event-store\/(memory|postgres|eventstoredb)|postgres\/embedded-postgres)$/
const simulatorTypes = '@prosa/sandbox/simulator/simulator-contract'

/** Every import that points the wrong way, one sentence each. */
export const checkDependencies = () =>
  workspaces().flatMap((workspace) =>
    sourcesOf(workspace).flatMap((file) =>
      importsOf(readFileSync(inRoot(file), 'utf8')).flatMap((found) => faultsOf(workspace, file, found)),
    ),
  )

const sourcesOf = (folder) =>
  readdirSync(inRoot(folder), { withFileTypes: true }).flatMap((entry) => {
    const path = join(folder, entry.name)
    if (entry.isDirectory())
      return ['node_modules', 'dist', 'coverage', '.turbo'].includes(entry.name) ? [] : sourcesOf(path)
    return /\.tsx?$/.test(entry.name) && !/\.config\.ts$/.test(entry.name) ? [path] : []
  })

const statement = /(?:^|[;}\n])\s*(import|export)\s+(type\s)?[^'"`;]*?from\s*['"]([^'"]+)['"]/g
const sideEffect = /(?:^|[;}\n])\s*import\s*['"]([^'"]+)['"]/g
const dynamic = /\bimport\(\s*['"]([^'"]+)['"]/g

/** The imports of a source: where from, and whether types only. */
const importsOf = (source) => [
  ...Array.from(source.matchAll(statement), ([, , type, from]) => ({ from, typeOnly: type !== undefined })),
  ...[sideEffect, dynamic].flatMap((form) =>
    Array.from(source.matchAll(form), ([, from]) => ({ from, typeOnly: false })),
  ),
]

const isTest = (file) => /\.(test|bench|contract)\.tsx?$|\/(test|testing|bench|browser)\//.test(file)

/** What is wrong with one import: no sentence or one. */
export const faultsOf = (workspace, file, { from, typeOnly }) => {
  if (from.startsWith('.')) return relativeFault(workspace, file, join(file, '..', from))
  const target = /^@prosa\/([^/]+)/.exec(from)?.[1]
  if (!target) return []
  if (workspace === `services/${target}` || workspace === target)
    return [`${file} imports its own workspace as ${from}: write a relative path`]
  const { may, inTests = [] } = rules.find(({ of }) => of.test(workspace)) ?? { may: [] }
  const isAllowed = may === 'everything' || may.includes(target) || (isTest(file) && inTests.includes(target))
  const isSimulatorPage = file.startsWith('web/src/features/simulator/') && from === simulatorTypes && typeOnly
  if (!isAllowed && !isSimulatorPage) return [`${file} imports ${from}, which ${workspace} may not`]
  if (adapters.test(from) && workspace !== 'deploy' && !isTest(file))
    return [`${file} imports ${from}: only deploy chooses adapters`]
  return []
}

const relativeFault = (workspace, file, target) => {
  if (!target.startsWith(`${workspace}/`)) return [`${file} imports ${target}, which is outside ${workspace}`]
  const [, place, feature] = /^web\/src\/(features|lib|components|app)\/([^/]+)/.exec(file) ?? []
  if (!place) return []
  if (place !== 'app' && target.startsWith('web/src/app/') && !isTest(file))
    return [`${file} imports ${target}: only app imports from app`]
  const goal = /^web\/src\/features\/([^/]+)/.exec(target)?.[1]
  if (!goal) return []
  if (place === 'features') return goal === feature ? [] : [`${file} imports ${target}: no feature imports another`]
  return isRouter(file) ? [] : [`${file} imports ${target}: features are imported by app/router only`]
}

const isRouter = (file) => /^web\/src\/app\/router(\.test)?\.tsx$/.test(file)
