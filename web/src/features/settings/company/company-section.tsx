import Skeleton from '@mui/material/Skeleton'
import { OwnHistoryButton } from '../../../components/history/own/use-own-history.tsx'
import { NotReadPanel } from '../../../components/notices/not-read-panel.tsx'
import { useQueryThen } from '../../../components/past/moment-shown.tsx'
import { OwnWhyRow } from '../../../components/why/own-why.tsx'
import { companyQuery } from '../../../lib/account/company.ts'
import { call } from '../../../lib/http/call.ts'
import { SettingsBlock } from '../settings-block.tsx'
import { CompanyChoices } from './company-choices.tsx'
import { CompanyForm } from './company-form.tsx'

export const CompanySection = () => {
  const {
    data: company,
    error,
    isPending,
    refetch,
  } = useQueryThen(companyQuery, (em, signal) => call('GET /api/company', { query: { em }, signal }))
  return (
    <SettingsBlock
      title="Empresa"
      action={<OwnHistoryButton target={{ title: 'Empresa', filters: { kind: 'company' } }} />}
    >
      {isPending ? (
        <Skeleton role="status" aria-label="Carregando..." variant="rounded" height={480} />
      ) : !company ? (
        <NotReadPanel title="Os dados da empresa não puderam ser lidos" error={error} onRetry={() => void refetch()} />
      ) : (
        <>
          <CompanyForm company={company} />
          <CompanyChoices company={company} />
          <OwnWhyRow
            kind="company"
            names={{
              ...{ name: 'Nome', email: 'E-mail', phone: 'Telefone', website: 'Site', address: 'Endereço' },
              ...{ notifications: 'Notificações', analytics: 'Estatísticas' },
            }}
          />
        </>
      )}
    </SettingsBlock>
  )
}
