import { useQuery } from '@tanstack/react-query'
import { call } from '../../lib/http/call.ts'
import { forgetDeclined } from '../../lib/http/reading-purpose.ts'
import type { WhyTarget } from './why-target.ts'

export const useWhyAnswer = ({ kind, id, field, part }: WhyTarget, asAdmin: boolean) =>
  useQuery({
    // Administrators' lists are read again with each push; so is this.
    queryKey: [asAdmin ? 'admin' : 'why', kind, id, field, part],
    queryFn: ({ signal }) => {
      forgetDeclined()
      const asked = { signal, params: { kind, id, field }, query: { part } }
      return asAdmin
        ? call('GET /api/admin/history/:kind/:id/why/:field', asked)
        : call('GET /api/history/:kind/:id/why/:field', asked)
    },
    // The value may have changed since it was asked.
    staleTime: 0,
    retry: false,
  })
