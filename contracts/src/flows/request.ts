import { z } from 'zod'

export const requestMethods = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'] as const

export const requestOutputs = ['success', 'failure'] as const

/** What of the reply's JSON goes into a variable. */
export const requestResult = z.object({ path: z.string().max(200), variable: z.string().max(40) })

/** Null in its place: the reply was 2xx, and JSON where something of it was wanted. */
export const requestFailure = z.enum([
  'status',
  'timeout',
  /** Not sent, or not answered, within the time that the run waits. */
  'no_reply',
  'unknown_host',
  'not_allowed',
  'refused',
  'tls',
  'broken',
  'redirect',
  'not_json',
  'reply_too_large',
  'request_too_large',
  'bad_address',
  'bad_header',
  'no_secret',
  'daily_limit',
])

export type RequestFailure = z.infer<typeof requestFailure>
export type RequestResult = z.infer<typeof requestResult>

/** How a request went: `values` by variable. */
export const requestReply = {
  /** Of the last answer; null without one. */
  status: z.int().nullable(),
  failure: requestFailure.nullable(),
  /** From the first attempt to the last answer. */
  durationMs: z.int().nonnegative(),
  attempts: z.int().nonnegative(),
}

const failures: Record<RequestFailure, string> = {
  status: 'o servidor recusou',
  timeout: 'o servidor não respondeu em 10 segundos',
  no_reply: 'não houve resposta a tempo',
  unknown_host: 'o endereço não existe',
  not_allowed: 'o endereço leva a uma rede privada',
  refused: 'o servidor recusou a conexão',
  tls: 'o certificado do servidor não vale',
  broken: 'a conexão caiu',
  redirect: 'o servidor mandou para outro endereço, aonde a requisição não pode ir',
  not_json: 'a resposta não é JSON',
  reply_too_large: 'a resposta tem mais de 256 kB',
  request_too_large: 'o que seria enviado tem mais de 256 kB',
  bad_address: 'uma variável deixou o endereço inválido',
  bad_header: 'um cabeçalho ficou inválido',
  no_secret: 'um segredo foi excluído',
  daily_limit: 'o limite de requisições do dia acabou',
}

/** 'o servidor recusou (404)'; undefined for a success. */
export const failureWords = (failure: RequestFailure | null, status: number | null): string | undefined => {
  if (failure === null) return undefined
  return failure === 'status' && status !== null ? `${failures.status} (${status})` : failures[failure]
}
