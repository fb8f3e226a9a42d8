import type { Socket } from 'node:net'
import { type Refusal, refusals, sentencesWithLimit, sentencesWithWait } from '@prosa/contracts/refusals'
import { waitInWords } from '@prosa/contracts/values/wait'
import type { FastifyError, FastifyReply, FastifyRequest } from 'fastify'
import { hasZodFastifySchemaValidationErrors } from 'fastify-type-provider-zod'
import { StoreUnavailable } from '../async/reachability.ts'
import { FilesUnavailable } from '../files/port.ts'
import { isUnreachable } from '../postgres/is-unreachable.ts'
import { type FieldError, PurposeNeeded, Refused } from './problem.ts'
import { rawSecurityHeaders } from './security-headers.ts'

const problemType = 'application/problem+json; charset=utf-8'

export const refusalOf = (error: FastifyError | Refused): Refusal => {
  if (error instanceof Refused) return error.refusal
  if (hasZodFastifySchemaValidationErrors(error)) return 'invalid_request'
  // First: their messages quote the address, which may contain any word.
  const status = error.statusCode ?? 500
  if (status === 413) return 'body_too_large'
  if (status === 414) return 'request_too_large'
  if (status >= 400 && status < 500) return 'malformed_body'
  const isAway = error instanceof StoreUnavailable || error instanceof FilesUnavailable || isUnreachable(error)
  return isAway ? 'unavailable' : 'unexpected'
}

export const invalidFields = (error: unknown): FieldError[] | undefined => {
  if (!hasZodFastifySchemaValidationErrors(error)) return undefined
  return error.validation.map(({ instancePath, message }) => ({
    field: instancePath.replace(/^\//, '').replaceAll('/', '.'),
    message: message ?? refusals.invalid_request.title,
  }))
}

export const sendProblem = (request: FastifyRequest, reply: FastifyReply, error: FastifyError | Refused) => {
  const refusal = refusalOf(error)
  const { status, title } = refusals[refusal]
  const { retryAfterSeconds: wait, limit }: Partial<Refused> = error instanceof Refused ? error : {}
  if (wait !== undefined) reply.header('retry-after', wait)
  const withWait = wait === undefined ? undefined : sentencesWithWait[refusal]?.(waitInWords(wait))
  const withLimit = limit === undefined ? undefined : sentencesWithLimit[refusal]?.(limit)
  return reply
    .code(status)
    .type(problemType)
    .send({
      type: refusal,
      title: withWait ?? withLimit ?? title,
      status,
      errors: error instanceof Refused ? error.errors : invalidFields(error),
      ...(error instanceof PurposeNeeded && { tenantId: error.tenantId }),
      correlationId: request.id,
    })
}

/** Header or address too long, or invalid HTTP. */
export const answerClientError = (error: Error & { code?: string }, socket: Socket): void => {
  if (error.code === 'ECONNRESET' || !socket.writable) {
    socket.destroy()
    return
  }
  const refusal = error.code === 'HPE_HEADER_OVERFLOW' ? 'request_too_large' : 'malformed_body'
  const { status, title } = refusals[refusal]
  const body = JSON.stringify({ type: refusal, title, status })
  socket.end(
    [
      `HTTP/1.1 ${status} ${refusal}`,
      `content-type: ${problemType}`,
      `content-length: ${Buffer.byteLength(body)}`,
      'cache-control: no-store',
      'connection: close',
      ...Object.entries(rawSecurityHeaders(false)).map(([name, value]) => `${name}: ${value}`),
      '',
      body,
    ].join('\r\n'),
  )
}
