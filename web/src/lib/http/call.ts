import type { InputOf, ReplyOf } from '@prosa/contracts/http/endpoint'
import type { Endpoints } from '@prosa/contracts/http/endpoints'
import type { SimulatorEndpoints } from '@prosa/contracts/http/simulator'
import { getPage, type Page, request } from './http.ts'

/** Types only: browsers must not load the records' zod schemas (docs/decisions/0028-endpoints.md). */
type Known = Endpoints & SimulatorEndpoints
type Name = keyof Known
type Input<N extends Name> = InputOf<Known[N]>
type Reply<N extends Name> = ReplyOf<Known[N]>
/** Commands are repeated until they are answered, whatever the user leaves. */
interface Aborting {
  signal?: AbortSignal | undefined
}
type Options<N extends Name> = N extends `GET ${string}` ? Input<N> & Aborting : Input<N>
type Sent<N extends Name> = Partial<Input<N>> extends Input<N> ? [input?: Options<N>] : [input: Options<N>]
type ItemOf<N extends Name> = Reply<N> extends readonly (infer Item)[] ? Item : never

interface AnyInput extends Aborting {
  params?: Record<string, string>
  query?: object
  body?: unknown
}

const methodOf = (name: string) => name.slice(0, name.indexOf(' '))

const filledPath = (name: string, { params = {}, query = {} }: AnyInput = {}): string => {
  const path = name
    .slice(name.indexOf(' ') + 1)
    .replace(/:(\w+)/g, (_, part: string) => encodeURIComponent(params[part] ?? ''))
  const asked = Object.entries(query).flatMap(([field, value]) => (value === undefined ? [] : [[field, String(value)]]))
  return asked.length === 0 ? path : `${path}?${new URLSearchParams(asked)}`
}

/** Undefined query values are omitted. */
export const addressOf = filledPath as <N extends Name>(name: N, ...sent: Sent<N>) => string

/** Not validated: the server did. */
export const replyOf = <N extends Name>(_: N, body: unknown) => body as Reply<N>

const untypedCall = (name: string, input: AnyInput = {}) =>
  request(methodOf(name), filledPath(name, input), input.body, input.signal)

/** Throws as `request` does. */
export const call = untypedCall as <N extends Name>(name: N, ...sent: Sent<N>) => Promise<Reply<N>>

const untypedPage = (name: string, input?: AnyInput) => getPage(filledPath(name, input), input?.signal)

export const callPage = untypedPage as <N extends Name>(name: N, ...sent: Sent<N>) => Promise<Page<ItemOf<N>>>
