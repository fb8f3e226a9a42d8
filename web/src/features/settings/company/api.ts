import type { Company } from '@prosa/contracts/http/company'
import { queryOptions, useMutation, useQueryClient } from '@tanstack/react-query'
import { call } from '../../../lib/call.ts'
import { currentUserQuery } from '../../../lib/current-user.ts'
import { failedBecause } from '../../../lib/http.ts'
import { useToast } from '../../../lib/toast.tsx'

export type CompanyDraft = Omit<Company, 'notifications' | 'analytics'>
export type CompanyChoices = Pick<Company, 'notifications' | 'analytics'>

export const companyQuery = queryOptions({ queryKey: ['company'], queryFn: () => call('GET /api/company') })

const useKept = (done: string, failed: string) => {
  const queries = useQueryClient()
  const toast = useToast()
  return {
    onSuccess: (company: Company) => {
      queries.setQueryData(companyQuery.queryKey, company)
      // The user holds the name and the choices too.
      void queries.invalidateQueries({ queryKey: currentUserQuery.queryKey })
      toast({ title: 'Sucesso', description: done, kind: 'success' })
    },
    onError: (error: unknown) => toast({ title: 'Erro', description: failedBecause(failed, error), kind: 'error' }),
  }
}

export const useDescribeCompany = () =>
  useMutation({
    mutationFn: (draft: CompanyDraft) => call('PUT /api/company', { body: draft }),
    ...useKept('Dados da empresa salvos com sucesso!', 'Falha ao salvar os dados da empresa'),
  })

export const useChooseForCompany = () =>
  useMutation({
    mutationFn: (choices: Partial<CompanyChoices>) => call('PATCH /api/company/choices', { body: choices }),
    ...useKept('Preferência salva com sucesso!', 'Falha ao salvar a preferência'),
  })
