import type { z } from 'zod'
import type { ReadingKind } from '../values/reading.ts'
import type { Role } from '../values/role.ts'

/** The chapters of `/api/docs`, in their order. */
export const areas = {
  Conta: 'Cadastro, entrada, senha e perfil.',
  Conversas: 'Contatos, mensagens e filas de atendimento.',
  Automação: 'Fluxos de conversa, suas versões e execuções.',
  Conexões: 'Números de WhatsApp conectados por QR Code.',
  Cobrança: 'Planos, e o que a Kiwify avisa sobre pagamentos.',
  Suporte: 'Os canais de ajuda e as mensagens a eles.',
  Administração: 'Para quem administra o Prosa.',
} as const

/** Where an endpoint is, what it takes and what it answers when it succeeds; refusals are `problem` everywhere. */
export interface Address {
  method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'
  /** `/api/things/:id`: what follows a colon is a parameter, any text that has no slash. */
  path: `/api/${string}` | `/kiwify/${string}` | `/r/${string}`
  /** Only of parameters that are not any text. */
  params?: z.ZodType
  query?: z.ZodType
  body?: z.ZodType
  /** By status: one, or none where the reply is a file. */
  replies: Partial<Record<200 | 201 | 202 | 204, z.ZodType>>
}

/**
 * Personal data of tenants that the reply shows to whoever has a role; each reading is recorded. `all`: a list of all tenants';
 * `named`: the handler names the tenant, and nothing is answered where it did not.
 */
export type Reads = 'nothing' | { what: ReadingKind; of: 'all' | 'named' }

interface Admitting extends Address {
  area: keyof typeof areas
  /** One Portuguese sentence for `/api/docs`. */
  summary: string
  /** Answers people who are not signed in too. */
  open?: true
  /** Answers also who has to change a password that an administrator set. */
  alsoWithTemporaryPassword?: true
  /** A command by its method only, such as trying a flow out: nothing is stored, and asked again it is executed again. */
  changesNothing?: true
  /** Never refused for what the account did today: leaving, its password, its erasure. */
  isBeyondBudgets?: true
  /**
   * What it takes of the process that serves everybody. `computing`: its work grows with what is sent or stored, is done in slices and
   * waits for its turn; `large`: it reads or stores as much as a flow may hold, and computes nothing with it. Each is limited for each
   * user.
   */
  costs?: 'computing' | 'large'
  /** The body, or the reply, is a file as it is, not JSON. */
  file?: 'body' | 'reply'
}

/**
 * One endpoint of the product: the server's route, its place in `/api/docs` and the web's call come from this record. Every
 * method but GET is a command and, below `/api`, takes an idempotency key.
 */
export type Endpoint = Admitting &
  (
    | {
        /** A role that the signed-in user needs. */
        role: Role
        /** What of tenants it shows to them. */
        reads: Reads
      }
    | { role?: never; reads?: never }
  )

/** Keeps the literal types of the record, from which those of route and call follow. */
export const endpoint = <const E extends Endpoint>(record: E): E => record

type ParameterNames<Path extends string> = Path extends `${string}:${infer Name}/${infer Rest}`
  ? Name | ParameterNames<Rest>
  : Path extends `${string}:${infer Name}`
    ? Name
    : never

/** The parameters of the path as text. */
export type PathParameters<A extends Address> = Record<ParameterNames<A['path']>, string>

/** `POST /api/things/:id`: the name of an endpoint. */
export type NameOf<A extends Address> = A extends Address ? `${A['method']} ${A['path']}` : never

type InputIn<Key extends string, Schema> = Schema extends z.ZodType
  ? Partial<z.input<Schema>> extends z.input<Schema>
    ? { [K in Key]?: z.input<Schema> }
    : { [K in Key]: z.input<Schema> }
  : unknown

/** What a client sends. */
export type InputOf<A extends Address> = (A extends { params: infer Schema }
  ? InputIn<'params', Schema>
  : [ParameterNames<A['path']>] extends [never]
    ? unknown
    : { params: PathParameters<A> }) &
  (A extends { query: infer Schema } ? InputIn<'query', Schema> : unknown) &
  (A extends { body: infer Schema } ? InputIn<'body', Schema> : unknown)

/** What it answers when it succeeds; `never` of a file. */
export type ReplyOf<A extends Address> = z.output<Extract<A['replies'][keyof A['replies']], z.ZodType>>
