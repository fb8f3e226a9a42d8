import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path/posix'
import { inRoot } from './root.mjs'
import { workspaces } from './workspaces.mjs'

/** Allowed imports by workspace. Tests and benchmarks may also import `inTests`; `main.ts` and `wire-*.ts` also `inMain`. */
const rules = [
  { of: /^contracts$/, may: [] },
  { of: /^services\/kernel$/, may: ['contracts'] },
  { of: /^services\/product$/, may: ['contracts', 'kernel'] },
  {
    of: /^services\/sessions$/,
    may: ['contracts', 'kernel', 'product'],
    inTests: ['sandbox'],
    inMain: ['projections'],
  },
  { of: /^services\/[^/]+$/, may: ['contracts', 'kernel', 'product'], inMain: ['projections'] },
  { of: /^projections$/, may: ['contracts', 'kernel', 'product'] },
  { of: /^web$/, may: ['contracts'] },
  { of: /^deploy$/, may: 'everything' },
]

/** The kernel's layers, bottom up; each imports itself and those before it. `''`: files beside the folders, and async/. */
const kernelLayers = [
  '',
  'postgres',
  'migrations',
  'observability',
  'redis',
  'privacy',
  'spending',
  'drafts',
  'event-store',
  'files',
  'domain',
  'consumers',
  'http',
  'ports.ts',
  'operations',
  'host.ts',
  'process',
]

/** What the kernel may know of contracts: how events, streams, endpoints and refusals are made, not what a product says with them. */
const kernelContracts =
  /^@prosa\/contracts\/(events\/(all-events|metadata|operations|subjects|versions)|http\/(endpoint|problem)|refusals|stored-commands|streams|topics|values\/(instant|key|personal|reading|role|time\/sao-paulo|wait))$/

/** The same inside services/sessions. `''`: files beside the folders that are not named. */
const sessionsLayers = [
  '',
  'migrations',
  'domain',
  'handlers.ts',
  'leases',
  'outbox',
  'gateway',
  'media',
  'connection',
  'line',
  'session-metrics.ts',
  'sessions.ts',
  'wire-sessions.ts',
  'main.ts',
]

/** Of projections, bottom up; a folder imports itself and those of layers before its own. `''`: files beside the folders. */
const projectionLayers = [
  ['', 'reading'],
  ['moments'],
  [
    'account',
    'api-keys',
    'company',
    'connections',
    'default-flow',
    'flow-folders',
    'flow-runs',
    'labels',
    'media',
    'opening-hours',
    'quick-replies',
    'webhooks',
  ],
  ['contact-list', 'flow-statistics', 'usage', 'users'],
  [
    'chat-messages',
    'contact-details',
    'contact-directory',
    'dashboard',
    'flows',
    'latest-messages',
    'support-requests',
  ],
  ['analytics', 'flow-versions', 'history', 'message-search', 'public-api', 'totals'],
  ['erasures', 'streams', 'transactions', 'webhook-deliveries'],
  ['plan-what-if', 'plans'],
  ['as-it-was'],
  ['export'],
  ['projections.ts', 'read-side.ts'],
  ['wire-projections.ts'],
  ['main.ts'],
]

const adapters = /^(@prosa\/kernel|services\/kernel\/src)\/event-store\/(memory|postgres|eventstoredb)(\.ts)?$/

export const checkDependencies = () => {
  const imports = new Map()
  const directions = [...workspaces(), 'scripts'].flatMap((workspace) =>
    sourcesOf(workspace).flatMap((file) => {
      const source = readFileSync(inRoot(file), 'utf8')
      imports.set(
        file,
        importsOf(source).map(({ from }) => from),
      )
      return workspace === 'scripts' || isConfig(file) ? [] : faultsIn(workspace, file, source)
    }),
  )
  const cycles = cyclesIn(imports).map((files) => `${[...files, files[0]].join(' → ')}: these import each other`)
  return [...directions, ...cycles]
}

export const faultsIn = (workspace, file, source) =>
  importsOf(source).flatMap((found) => faultsOf(workspace, file, found))

const sourcesOf = (folder) =>
  readdirSync(inRoot(folder), { withFileTypes: true }).flatMap((entry) => {
    const path = join(folder, entry.name)
    if (entry.isDirectory())
      return ['node_modules', 'dist', 'coverage', '.turbo'].includes(entry.name) ? [] : sourcesOf(path)
    return /\.(tsx?|mjs)$/.test(entry.name) ? [path] : []
  })

const isConfig = (file) => /\.config\.ts$/.test(file)

const statement = /(?:^|[;}\n])\s*(?:import|export)\s+[^'"`;]*?from\s*['"]([^'"]+)['"]/g
const sideEffect = /(?:^|[;}\n])\s*import\s*['"]([^'"]+)['"]/g
const dynamic = /\bimport\(\s*['"]([^'"]+)['"]/g

const importsOf = (source) =>
  [statement, sideEffect, dynamic].flatMap((form) => Array.from(source.matchAll(form), ([, from]) => ({ from })))

const isTest = (file) => /\.(test|bench|contract)\.tsx?$|\/(test|testing|bench|browser|contract|double)\//.test(file)
const isMain = (file) => /\/src\/(main|wire-[^/]+)\.ts$/.test(file)
const choosesAdapters = (file) => isMain(file) || file.startsWith('services/kernel/src/process/')

const faultsOf = (workspace, file, { from }) => {
  if (from.startsWith('.')) return relativeFault(workspace, file, join(file, '..', from))
  const target = /^@prosa\/([^/]+)/.exec(from)?.[1]
  if (!target) return []
  if (workspace === `services/${target}` || workspace === target)
    return [`${file} imports its own workspace as ${from}: write a relative path`]
  const { may, inTests = [], inMain = [] } = rules.find(({ of }) => of.test(workspace)) ?? { may: [] }
  const isAllowed =
    may === 'everything' ||
    may.includes(target) ||
    (isTest(file) && inTests.includes(target)) ||
    (isMain(file) && inMain.includes(target))
  if (!isAllowed) return [`${file} imports ${from}, which ${workspace} may not`]
  if (workspace === 'services/kernel' && target === 'contracts' && !isTest(file) && !kernelContracts.test(from))
    return [`${file} imports ${from}: the kernel knows no product`]
  if (adapters.test(from) && workspace !== 'deploy' && !isTest(file) && !choosesAdapters(file))
    return [`${file} imports ${from}: only main.ts files, deploy and the kernel's process/ choose adapters`]
  if (/^@prosa\/[^/]+\/main$/.test(from)) return [`${file} imports ${from}, which starts a process`]
  return []
}

const relativeFault = (workspace, file, target) => {
  if (!target.startsWith(`${workspace}/`)) return [`${file} imports ${target}, which is outside ${workspace}`]
  if (workspace === 'services/kernel') return kernelFault(file, target)
  if (workspace === 'services/sessions') return sessionsFault(file, target)
  if (workspace === 'projections') return projectionFault(file, target)
  if (workspace === 'web') return webFault(file, target)
  return []
}

/** Folder below src; '' for a file beside the folders that has no layer of its own. */
const projectionPart = (file) => {
  const [first, ...rest] = file.replace('projections/src/', '').split('/')
  return rest.length > 0 || projectionLayers.flat().includes(first) ? first : ''
}
const layerOf = (file) => projectionLayers.findIndex((layer) => layer.includes(projectionPart(file)))

const projectionFault = (file, target) => {
  if (isTest(file) || !file.startsWith('projections/src/')) return []
  if (isTest(target)) return [`${file} imports ${target}, which is for tests`]
  const [own, other] = [layerOf(file), layerOf(target)]
  if (own < 0) return [`${file} is on no layer: name its folder in scripts/check-dependencies.mjs`]
  if (own > other || projectionPart(file) === projectionPart(target)) return []
  return [`${file} imports ${target}, which is not below it in projections`]
}

const kernelLayerOf = (file) => {
  const [first, ...rest] = file.replace('services/kernel/src/', '').split('/')
  if (first === 'async' || (rest.length === 0 && !kernelLayers.includes(first))) return 0
  return kernelLayers.indexOf(first)
}

const kernelFault = (file, target) => {
  if (isTest(file) || !file.startsWith('services/kernel/src/')) return []
  if (isTest(target)) return [`${file} imports ${target}, which is for tests`]
  const [own, other] = [kernelLayerOf(file), kernelLayerOf(target)]
  if (own < 0) return [`${file} is on no layer: name its folder in scripts/check-dependencies.mjs`]
  if (other > own || other < 0) return [`${file} imports ${target}, which is above it in the kernel`]
  if (adapters.test(target) && !choosesAdapters(file) && kernelLayerOf(file) !== kernelLayers.indexOf('event-store'))
    return [`${file} imports ${target}: only main.ts files, deploy and the kernel's process/ choose adapters`]
  return []
}

const sessionsLayerOf = (file) => {
  const [first, ...rest] = file.replace('services/sessions/src/', '').split('/')
  return rest.length === 0 && !sessionsLayers.includes(first) ? 0 : sessionsLayers.indexOf(first)
}

const sessionsFault = (file, target) => {
  if (isTest(file)) return []
  if (isTest(target)) return [`${file} imports ${target}, which is for tests`]
  const [own, other] = [sessionsLayerOf(file), sessionsLayerOf(target)]
  if (own < 0) return [`${file} is on no layer: name its folder in scripts/check-dependencies.mjs`]
  return other > own || other < 0 ? [`${file} imports ${target}, which is in a layer above it`] : []
}

/** The web's layers, bottom up; each imports itself and those before it. */
const webLayers = ['lib', 'components', 'features', 'app']

const webPlaceOf = (file) => {
  const [, layer, folder] = /^web\/src\/([^/]+)\/([^/]+)/.exec(file) ?? []
  return { height: webLayers.indexOf(layer), feature: layer === 'features' ? folder : undefined }
}

const webFault = (file, target) => {
  const [own, other] = [webPlaceOf(file), webPlaceOf(target)]
  if (own.height < 0 || other.height < 0) return []
  if (own.feature && other.feature && own.feature !== other.feature)
    return [`${file} imports ${target}: no feature imports another`]
  if (other.feature && !own.feature && !isRouter(file))
    return [`${file} imports ${target}: features are imported by app/router only`]
  if (other.height > own.height && !isTest(file))
    return [`${file} imports ${target}, which stands above it: ${webLayers.join(' ← ')}`]
  return []
}

const isRouter = (file) => /^web\/src\/app\/(router|analyst-routes)(\.test)?\.tsx$/.test(file)

const folderOf = (workspace) =>
  ['contracts', 'projections', 'web', 'deploy'].includes(workspace) ? workspace : `services/${workspace}`

/** The file of ours that an import names; undefined for packages and what is no source. */
const targetOf = (file, from, isSource) => {
  const [, workspace, rest] = /^@prosa\/([^/]+)\/(.+)$/.exec(from) ?? []
  if (!workspace && !from.startsWith('.')) return undefined
  const path = workspace ? `${folderOf(workspace)}/src/${rest}` : join(file, '..', from)
  return [path, `${path}.ts`, `${path}.tsx`].find(isSource)
}

/** `imports`: file → what it imports, of types too. Each cycle once, as its files in the order in which they import each other. */
export const cyclesIn = (imports) => {
  const cycles = []
  const done = new Set()
  const open = []
  const visit = (file) => {
    if (done.has(file)) return
    const at = open.indexOf(file)
    if (at >= 0) {
      cycles.push(open.slice(at))
      return
    }
    open.push(file)
    for (const from of imports.get(file) ?? []) {
      const target = targetOf(file, from, (path) => imports.has(path))
      if (target) visit(target)
    }
    open.pop()
    done.add(file)
  }
  for (const file of imports.keys()) visit(file)
  return cycles
}
