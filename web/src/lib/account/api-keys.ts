import type { KeyScope } from '@prosa/contracts/values/key'
import { isPlatformScope } from '@prosa/contracts/values/key-scopes'
import { queryOptions } from '@tanstack/react-query'
import { call } from '../http/call.ts'
import { useCommand } from '../http/use-command.ts'

/** Without the secret. */
export const apiKeysQuery = queryOptions({
  queryKey: ['api-keys'],
  queryFn: ({ signal }) => call('GET /api/keys', { signal }),
})

const { queryKey } = apiKeysQuery

export interface KeyWish {
  name: string
  scopes: KeyScope[]
  expiresInDays: number
  withPersonal: boolean
}

/** The reply has the key, which no other reply has. `ofPlatform`: for all tenants, which an analyst may. */
export const useCreateKey = (ofPlatform: boolean) =>
  useCommand({
    run: ({ withPersonal, ...body }: KeyWish) =>
      ofPlatform
        ? call('POST /api/analyst/keys', { body: { ...body, scopes: body.scopes.filter(isPlatformScope) } })
        : call('POST /api/keys', { body: { ...body, withPersonal } }),
    failed: 'A chave não foi criada',
    rereads: [queryKey],
  })

export const useRevokeKey = () =>
  useCommand({
    run: (id: string) => call('DELETE /api/keys/:id', { params: { id } }),
    done: 'Chave revogada. Programas que a usam já não leem mais nada.',
    failed: 'A chave não foi revogada',
    rereads: [queryKey],
  })
