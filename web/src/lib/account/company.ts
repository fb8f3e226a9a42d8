import type { Company } from '@prosa/contracts/http/accounts/company'
import { queryOptions } from '@tanstack/react-query'
import { call } from '../http/call.ts'
import { useCommand } from '../http/use-command.ts'
import { currentUserQuery } from './current-user.ts'

export type CompanyDraft = Omit<Company, 'notifications' | 'analytics'>
export type CompanyChoices = Pick<Company, 'notifications' | 'analytics'>

export const companyQuery = queryOptions({
  queryKey: ['company'],
  queryFn: ({ signal }) => call('GET /api/company', { signal }),
})

const useCompanyCommand = <Input>(run: (input: Input) => Promise<Company>, done: string, failed: string) =>
  useCommand({
    run,
    apply: (queries, company) => {
      queries.setQueryData(companyQuery.queryKey, company)
      // The user holds the name and the choices too.
      void queries.invalidateQueries({ queryKey: currentUserQuery.queryKey })
    },
    done,
    failed,
  })

export const useDescribeCompany = () =>
  useCompanyCommand(
    (draft: CompanyDraft) => call('PUT /api/company', { body: draft }),
    'Dados da empresa salvos com sucesso!',
    'Falha ao salvar os dados da empresa',
  )

export const useChooseForCompany = () =>
  useCompanyCommand(
    (choices: Partial<CompanyChoices>) => call('PATCH /api/company/choices', { body: choices }),
    'Preferência salva com sucesso!',
    'Falha ao salvar a preferência',
  )
