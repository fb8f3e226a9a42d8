import { isHeaderName } from '@prosa/contracts/flows/check-request'
import type { RequestFailure } from '@prosa/contracts/flows/request'
import {
  type FlowRequest,
  filledHeader,
  filledJson,
  filledUrl,
  type RequestValues,
  secretsOfRequest,
} from '@prosa/contracts/flows/request-template'
import type { Redirected } from '@prosa/kernel/http/outbound/follow-redirects'

export const maxBodyBytes = 256 * 1024

/** Node writes each character of a header as a byte. */
const inUtf8 = (value: string) => Buffer.from(value).toString('latin1')

const withSecret = /\{\{segredo:/i

/** `key`: of run and step, the same at each attempt. Its bytes are the same too, but for a secret that was replaced meanwhile. */
export const preparedRequest = (
  request: FlowRequest,
  values: Readonly<Record<string, string>>,
  secrets: ReadonlyMap<string, string>,
  key: string,
): Omit<Redirected, 'timeoutMs'> | { failure: RequestFailure } => {
  if (secretsOfRequest(request).some((name) => !secrets.has(name))) return { failure: 'no_secret' }
  const known: RequestValues = {
    variable: (name) => (Object.hasOwn(values, name) ? (values[name] ?? '') : ''),
    secret: (name) => secrets.get(name) ?? '',
  }
  const { method } = request
  const url = filledUrl(request.url, known)
  if (!url) return { failure: 'bad_address' }
  if (!request.headers.every(({ name }) => isHeaderName(name))) return { failure: 'bad_header' }
  const body = method === 'GET' || request.body.trim() === '' ? undefined : filledJson(request.body, known)
  if (body !== undefined && Buffer.byteLength(body) > maxBodyBytes) return { failure: 'request_too_large' }
  const own = request.headers.map(
    ({ name, value }) => [name.toLowerCase(), inUtf8(filledHeader(value, known))] as const,
  )
  const secretHeaders = new Set([
    ...['authorization', 'cookie'],
    ...request.headers.flatMap(({ name, value }) => (withSecret.test(value) ? name.toLowerCase() : [])),
  ])
  return {
    method,
    url: url.href,
    headers: {
      accept: 'application/json',
      'user-agent': 'Prosa-Flows/1.0',
      ...(body !== undefined && { 'content-type': 'application/json; charset=utf-8' }),
      ...Object.fromEntries(own),
      // What is compressed all the same is not read.
      'accept-encoding': 'identity',
      'idempotency-key': key,
    },
    ...(body !== undefined && { body }),
    maxBytes: maxBodyBytes + 1,
    isSecret: (header) => secretHeaders.has(header),
  }
}
