import Button from '@mui/material/Button'
import Skeleton from '@mui/material/Skeleton'
import { useQuery } from '@tanstack/react-query'
import { EmptyState } from '../../../components/empty-state.tsx'
import { Panel } from '../../../components/panel.tsx'
import { sentenceOf } from '../../../lib/http.ts'
import { SettingsBlock } from '../settings-block.tsx'
import { companyQuery } from './api.ts'
import { CompanyChoices } from './company-choices.tsx'
import { CompanyForm } from './company-form.tsx'

/** Settings, section Empresa: what is known of the business, and what it wants of Prosa. */
export const CompanySection = () => {
  const { data: company, error, isPending, refetch } = useQuery(companyQuery)
  return (
    <SettingsBlock title="Empresa" action={null}>
      {isPending ? (
        <Skeleton role="status" aria-label="Carregando..." variant="rounded" height={480} />
      ) : !company ? (
        <Panel>
          <EmptyState
            title="Os dados da empresa não puderam ser lidos"
            sentence={sentenceOf(error, 'Tente de novo em instantes.')}
            action={
              <Button variant="outlined" onClick={() => void refetch()}>
                Tentar de novo
              </Button>
            }
          />
        </Panel>
      ) : (
        <>
          <CompanyForm company={company} />
          <CompanyChoices company={company} />
        </>
      )}
    </SettingsBlock>
  )
}
