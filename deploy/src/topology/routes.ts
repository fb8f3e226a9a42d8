import type { Endpoint } from '@prosa/contracts/http/endpoint'
import { endpoints } from '@prosa/contracts/http/endpoints'
import type { ProcessName } from './processes.ts'

export interface GatewayRoute {
  /** `*`: any. */
  method: string
  /** `:name` is text without a slash; `/*` at the end is everything below. */
  path: string
  process: ProcessName
}

/** Served by the all-in-one process without a record of an endpoint; all else (pages, files, `/api/docs`, `/health/…`) is of `web`. */
const withoutRecord: readonly GatewayRoute[] = [{ method: '*', path: '/socket.io/*', process: 'realtime' }]

const ofEndpoints = endpoints.map(
  ({ method, path, service }): GatewayRoute => ({
    method,
    path,
    process: service === 'operations' ? 'projections' : service,
  }),
)

export const gatewayRoutes: readonly GatewayRoute[] = [...withoutRecord, ...ofEndpoints]

const fits = (template: readonly string[], path: readonly string[]): boolean => {
  if (template.at(-1) === '*')
    return path.length >= template.length && fits(template.slice(0, -1), path.slice(0, template.length - 1))
  return (
    template.length === path.length &&
    template.every((segment, index) => (segment.startsWith(':') ? path[index] !== '' : path[index] === segment))
  )
}

const templates = gatewayRoutes.map((route) => ({ ...route, segments: route.path.split('/') }))

const decoded = (path: string): string | undefined => {
  try {
    return decodeURIComponent(path)
  } catch (error) {
    if (error instanceof URIError) return undefined
    throw error
  }
}

/** Paths with a route that takes a key, `*` for what a request names. */
export const pathsWithKeys: readonly string[] = [
  ...new Set((endpoints as readonly Endpoint[]).flatMap(({ path, key }) => (key ? path.replaceAll(/:\w+/g, '*') : []))),
]

const templatesWithKeys = pathsWithKeys.map((path) => path.split('/'))

/** As the gateway decides it: by path, for all methods. */
export const takesKey = (target: string): boolean => {
  const path = decoded(target.split('?', 1)[0] ?? '')?.split('/')
  return (
    path !== undefined &&
    templatesWithKeys.some(
      (template) =>
        template.length === path.length &&
        template.every((segment, index) => segment === '*' || segment === path[index]),
    )
  )
}

/** Which process answers a request for `target`, path and query as sent. */
export const processOf = (method: string, target: string): ProcessName => {
  const path = decoded(target.split('?', 1)[0] ?? '')?.split('/')
  // Fastify answers HEAD where it answers GET.
  const by = method === 'HEAD' ? 'GET' : method
  const found =
    path && templates.find(({ method: own, segments }) => (own === '*' || own === by) && fits(segments, path))
  return found?.process ?? 'web'
}
