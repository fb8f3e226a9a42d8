import Box from '@mui/material/Box'
import MuiLink from '@mui/material/Link'
import { type ComponentType, type ReactElement, useEffect, useRef } from 'react'
import { Link, useSearchParams } from 'react-router-dom'
import FieldsIcon from '~icons/ic/round-assignment-ind'
import BoltIcon from '~icons/ic/round-bolt'
import HistoryIcon from '~icons/ic/round-history'
import IntegrationIcon from '~icons/ic/round-integration-instructions'
import LabelIcon from '~icons/ic/round-label'
import LinkIcon from '~icons/ic/round-link'
import ScheduleIcon from '~icons/ic/round-schedule'
import FlowIcon from '~icons/ic/round-schema'
import StoreIcon from '~icons/ic/round-storefront'
import { ApiKeys } from '../../components/api-keys/api-keys.tsx'
import { PageFrame } from '../../components/layout/page-frame.tsx'
import { PageHeading } from '../../components/layout/page-heading.tsx'
import { SectionThen } from '../../components/past/moment-shown.tsx'
import { sectionsThen } from '../../lib/past-addresses.ts'
import { momentParameter, paths, type SettingsSection, settingsSection, settingsSections } from '../../lib/paths.ts'
import { CompanySection } from './company/company-section.tsx'
import { ConnectionsSection } from './connections/connections-section.tsx'
import { ContactFieldsSection } from './contact-fields/contact-fields-section.tsx'
import { DefaultFlowSection } from './default-flow/default-flow-section.tsx'
import { HistorySection } from './history/history-section.tsx'
import { WebhooksSection } from './integrations/webhooks/webhooks-section.tsx'
import { LabelsSection } from './labels/labels-section.tsx'
import { OpeningHoursSection } from './opening-hours/opening-hours-section.tsx'
import { QuickRepliesSection } from './quick-replies/quick-replies-section.tsx'

interface Section {
  label: string
  Icon: ComponentType<{ 'aria-hidden': 'true' }>
  content: ReactElement
}

const toData = (
  <>
    Com uma chave, um programa seu lê os dados da sua conta, envia mensagens e começa fluxos: veja a{' '}
    <MuiLink href="/api/docs" target="_blank" rel="noopener" underline="always">
      API pública
    </MuiLink>
    . O que há para ler está em{' '}
    <MuiLink component={Link} to={paths.data} underline="always">
      Dados
    </MuiLink>
    .
  </>
)

/** One section below the other. */
const IntegrationsSection = () => (
  <Box sx={{ display: 'grid', gap: 8, gridTemplateColumns: 'minmax(0, 1fr)', alignContent: 'start' }}>
    <ApiKeys ofPlatform={false} sentence={toData} />
    <WebhooksSection />
  </Box>
)

const sections: Record<SettingsSection, Section> = {
  'respostas-rapidas': { label: 'Respostas Rápidas', Icon: BoltIcon, content: <QuickRepliesSection /> },
  etiquetas: {
    label: 'Etiquetas',
    Icon: LabelIcon,
    content: <LabelsSection />,
  },
  campos: { label: 'Campos de contatos', Icon: FieldsIcon, content: <ContactFieldsSection /> },
  horarios: { label: 'Horários', Icon: ScheduleIcon, content: <OpeningHoursSection /> },
  'fluxo-padrao': {
    label: 'Fluxo padrão',
    Icon: FlowIcon,
    content: <DefaultFlowSection />,
  },
  empresa: { label: 'Empresa', Icon: StoreIcon, content: <CompanySection /> },
  integracoes: { label: 'Integrações', Icon: IntegrationIcon, content: <IntegrationsSection /> },
  historico: { label: 'Histórico', Icon: HistoryIcon, content: <HistorySection /> },
  conexoes: { label: 'Conexões', Icon: LinkIcon, content: <ConnectionsSection /> },
}

const navigationStyle = {
  display: 'flex',
  flex: 'none',
  alignItems: 'center',
  gap: 2,
  px: 3,
  minHeight: 'var(--target)',
  borderRadius: 'var(--radius-control)',
  typography: 'subtitle2',
  textDecoration: 'none',
  color: 'text.secondary',
  '&:hover': { bgcolor: 'sunken', color: 'text.primary' },
  '&[aria-current]': { bgcolor: 'primarySoft', color: 'primary.main' },
} as const

export const SettingsPage = () => {
  const [searchParams] = useSearchParams()
  const current = settingsSections.find((section) => section === searchParams.get('secao')) ?? 'conexoes'
  const [em, kindThen] = [searchParams.get(momentParameter), sectionsThen[current]]
  const menu = useRef<HTMLElement>(null)
  // On phones the menu is wider than the screen.
  // biome-ignore lint/correctness/useExhaustiveDependencies: with every section that opens
  useEffect(() => {
    menu.current?.querySelector('[aria-current]')?.scrollIntoView?.({ block: 'nearest', inline: 'nearest' })
  }, [current])
  return (
    <PageFrame>
      <PageHeading title="Configurações" />
      <Box
        sx={{
          display: 'grid',
          gap: { xs: 4, md: 8 },
          gridTemplateColumns: { xs: 'minmax(0, 1fr)', md: 'var(--menu-width) minmax(0, 1fr)' },
        }}
      >
        <Box
          component="nav"
          ref={menu}
          aria-label="Seções das configurações"
          sx={{ display: 'flex', flexDirection: { md: 'column' }, gap: 1, overflowX: 'auto' }}
        >
          {settingsSections.map((section) => {
            const { label, Icon } = sections[section]
            return (
              <Box
                key={section}
                component={Link}
                to={settingsSection(section)}
                aria-current={section === current ? 'page' : undefined}
                sx={navigationStyle}
              >
                <Icon aria-hidden="true" />
                {label}
              </Box>
            )
          })}
        </Box>
        {em !== null && kindThen ? (
          <SectionThen kind={kindThen} em={em} present={settingsSection(current)}>
            {sections[current].content}
          </SectionThen>
        ) : (
          sections[current].content
        )}
      </Box>
    </PageFrame>
  )
}
