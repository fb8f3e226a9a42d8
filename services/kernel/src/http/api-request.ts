import type { FastifyRequest } from 'fastify'
import { isPageAddress } from './reading/page-address.ts'

const safeMethods = new Set(['GET', 'HEAD', 'OPTIONS'])

/** Checks the route, as many spellings of an address match one. */
const isOfApi = ({ routeOptions: { url } }: FastifyRequest): boolean => url?.startsWith('/api/') ?? false

/** True where session, origin and limits must be checked first; also for unknown routes. */
export const isGuarded = (request: FastifyRequest): boolean =>
  request.is404 || isOfApi(request) || (request.routeOptions.url === '/*' && !isPageAddress(request.url))

export const mayChange = ({ method }: FastifyRequest): boolean => !safeMethods.has(method)

export const isCommand = (request: FastifyRequest): boolean => isOfApi(request) && mayChange(request)
