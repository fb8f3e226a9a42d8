import { useSearchParams } from 'react-router-dom'
import { ApiKeys } from '../../components/api-keys/api-keys.tsx'
import { AddressTabs } from '../../components/layout/address-tabs.tsx'
import { PageFrame } from '../../components/layout/page-frame.tsx'
import { PageHeading } from '../../components/layout/page-heading.tsx'
import { useCurrentUser } from '../../lib/account/current-user.ts'
import { paths } from '../../lib/paths.ts'
import { CatalogueTab } from './catalogue/catalogue-tab.tsx'
import { QueryTab } from './query/query-tab.tsx'

const tabs = ['consulta', 'catalogo', 'chaves'] as const
type Tab = (typeof tabs)[number]

const tabWords: Record<Tab, string> = { consulta: 'Consulta', catalogo: 'Catálogo', chaves: 'Chaves de API' }
const tabAddress = (tab: Tab) => (tab === 'consulta' ? paths.data : `${paths.data}?aba=${tab}`)

/** Subscribers have their keys in Configurações. */
export const DataPage = () => {
  const [address] = useSearchParams()
  const isAnalyst = useCurrentUser()?.roles.includes('analyst') ?? false
  const offered = tabs.filter((tab) => tab !== 'chaves' || isAnalyst)
  const current = offered.find((tab) => tab === address.get('aba')) ?? 'consulta'
  return (
    <PageFrame wide>
      <PageHeading
        title="Dados"
        sentence={
          isAnalyst
            ? 'Tudo o que aconteceu, de todas as contas, em ordem e explicado. Ninguém é reconhecível: pessoas e empresas são pseudônimos.'
            : 'Tudo o que aconteceu na sua conta, em ordem e explicado: para planilhas, painéis e programas seus.'
        }
      />
      <AddressTabs
        label="Dados"
        current={current}
        scrollable
        tabs={offered.map((tab) => ({ name: tab, label: tabWords[tab], to: tabAddress(tab) }))}
      >
        {current === 'consulta' && <QueryTab isAnalyst={isAnalyst} />}
        {current === 'catalogo' && <CatalogueTab />}
        {current === 'chaves' && (
          <ApiKeys
            ofPlatform
            sentence="Com uma chave, um programa lê o mesmo que você vê aqui. Ela deixa de valer com o papel de analista."
          />
        )}
      </AddressTabs>
    </PageFrame>
  )
}
