import type { z } from 'zod'
import type { ServiceName } from '../streams.ts'
import type { KeyScope } from '../values/key.ts'
import type { ReadingKind } from '../values/reading.ts'
import type { Role } from '../values/role.ts'

/** Chapters of `/api/docs`, in order. */
export const areas = {
  'API pública':
    'Para o seu próprio programa: contatos, conversas, mensagens e fluxos, com uma chave de Configurações → Integrações.',
  Conta: 'Cadastro, entrada, senha e perfil.',
  Conversas: 'Contatos, mensagens e filas de atendimento.',
  Automação: 'Fluxos de conversa, suas versões e execuções.',
  Conexões: 'Números de WhatsApp conectados por QR Code.',
  Cobrança: 'Planos, e o que a Kiwify avisa sobre pagamentos.',
  Dados: 'Eventos publicados, as chaves com que programas os leem, e os webhooks que os recebem.',
  Suporte: 'Os canais de ajuda e as mensagens a eles.',
  Administração: 'Para quem administra o Prosa.',
} as const

/** Refusals are `problem` everywhere. */
export interface Address {
  method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'
  /** `:id` is text without a slash. */
  path: `/api/${string}` | `/kiwify/${string}` | `/r/${string}`
  /** Only for narrower types than text. */
  params?: z.ZodType
  query?: z.ZodType
  body?: z.ZodType
  /** None for a file. */
  replies: Partial<Record<200 | 201 | 202 | 204, z.ZodType>>
}

/** Tenants' personal data in the reply, recorded as read. `all`: of all tenants; `named`: the handler names the tenant. */
export type Reads = 'nothing' | { what: ReadingKind; of: 'all' | 'named' }

export interface Example {
  params?: Readonly<Record<string, `$${string}`>>
  query?: Readonly<Record<string, string>>
  body?: Readonly<Record<string, unknown>>
}

interface Admitting extends Address {
  /** Answers it; gateways route by this. */
  service: ServiceName
  area: keyof typeof areas
  /** Portuguese, for `/api/docs`. */
  summary: string
  /** Allows visitors. */
  open?: true
  /** For programs: admits a key with this scope, and no session. */
  key?: KeyScope
  /** Of a public endpoint: its request in `/api/docs`, in several languages. `$NAME` is a variable of the reader's. */
  example?: Example
  /** With `key`: a session reads too, an analyst's all tenants, another one's its own tenant. */
  alsoInBrowser?: true
  /** Allowed with a temporary password. */
  alsoWithTemporaryPassword?: true
  /** Of one's own account, so that an analyst may, who sees data and nothing else. */
  alsoForAnalysts?: true
  /** A command by method only: a repetition runs again. */
  changesNothing?: true
  /** Exempt from daily budgets. */
  isBeyondBudgets?: true
  /** Limits per user. `computing`: grows with the data, sliced, one at a time; `large`: reads or stores a whole flow. */
  costs?: 'computing' | 'large'
  /** Raw, not JSON. */
  file?: 'body' | 'reply'
}

/** Source of the server's route, `/api/docs` and the web's call. All but GET are commands; below `/api` they take an idempotency key. */
export type Endpoint = Admitting &
  (
    | {
        role: Role
        reads: Reads
      }
    | { role?: never; reads?: never }
  )

export const endpoint = <const E extends Endpoint>(record: E): E => record

type ParameterNames<Path extends string> = Path extends `${string}:${infer Name}/${infer Rest}`
  ? Name | ParameterNames<Rest>
  : Path extends `${string}:${infer Name}`
    ? Name
    : never

export type PathParameters<A extends Address> = Record<ParameterNames<A['path']>, string>

/** `POST /api/things/:id` */
export type NameOf<A extends Address> = A extends Address ? `${A['method']} ${A['path']}` : never

type InputIn<Key extends string, Schema> = Schema extends z.ZodType
  ? Partial<z.input<Schema>> extends z.input<Schema>
    ? { [K in Key]?: z.input<Schema> }
    : { [K in Key]: z.input<Schema> }
  : unknown

export type InputOf<A extends Address> = (A extends { params: infer Schema }
  ? InputIn<'params', Schema>
  : [ParameterNames<A['path']>] extends [never]
    ? unknown
    : { params: PathParameters<A> }) &
  (A extends { query: infer Schema } ? InputIn<'query', Schema> : unknown) &
  (A extends { body: infer Schema } ? InputIn<'body', Schema> : unknown)

/** `never` for a file. */
export type ReplyOf<A extends Address> = z.output<Extract<A['replies'][keyof A['replies']], z.ZodType>>
