import type { InputOf, ReplyOf } from '@prosa/contracts/http/endpoint'
import type { Endpoints } from '@prosa/contracts/http/endpoints'
import { call } from './call.ts'
import type { Page } from './http.ts'

type Search = `POST ${string}/search` & keyof Endpoints
type Found<N extends Search> = ReplyOf<Endpoints[N]> extends { items: (infer Item)[] } ? Item : never

const untypedSearch = async (name: Search, input: never) => {
  const { items, nextCursor } = (await call(name, input)) as { items: unknown[]; nextCursor: string | null }
  return { items, next: nextCursor }
}

/** What is searched for is in the body, not in the address (docs/decisions/0101-searches-of-subscribers.md). */
export const searchPage = untypedSearch as <N extends Search>(
  name: N,
  input: InputOf<Endpoints[N]>,
) => Promise<Page<Found<N>>>
