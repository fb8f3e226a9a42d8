import type { FastifyRequest } from 'fastify'
import { isPageAddress } from './page-address.ts'

const safeMethods = new Set(['GET', 'HEAD', 'OPTIONS'])

/** By the route that was matched, as many spellings of an address lead to one; the address itself proves nothing. */
const isOfApi = ({ routeOptions: { url } }: FastifyRequest): boolean => url?.startsWith('/api/') ?? false

/** Whether it must not reach its route before session, origin, limits and what else guards the API: also where no route is. */
export const isGuarded = (request: FastifyRequest): boolean =>
  request.is404 || isOfApi(request) || (request.routeOptions.url === '/*' && !isPageAddress(request.url))

/** Whether the method may change something. */
export const mayChange = ({ method }: FastifyRequest): boolean => !safeMethods.has(method)

/** A request to a route of the API that may change something. */
export const isCommand = (request: FastifyRequest): boolean => isOfApi(request) && mayChange(request)
