import Box from '@mui/material/Box'
import Tab from '@mui/material/Tab'
import Tabs from '@mui/material/Tabs'
import type { ContactCounts, ServiceStatus } from '@prosa/contracts/http/live-chat'
import { KeyHint } from '../../components/key-hint.tsx'

export const statusTabs: { status: ServiceStatus; label: string; shortcut: string }[] = [
  { status: 'waiting', label: 'Aguardando', shortcut: '1' },
  { status: 'attending', label: 'Atendendo', shortcut: '2' },
  { status: 'resolved', label: 'Resolvidos', shortcut: '3' },
]

export const tabId = (status: ServiceStatus): string => `tab-${status}`
export const tabPanelId = 'live-chat-tab-panel'

const Count = ({ count, waiting }: { count: number; waiting: boolean }) => (
  <Box
    component="span"
    sx={{
      ml: 1,
      minWidth: 20,
      px: 1.5,
      typography: 'caption',
      lineHeight: '20px',
      fontWeight: 600,
      borderRadius: 'var(--radius-panel)',
      bgcolor: waiting ? 'accent' : 'sunken',
      color: waiting ? 'onAccent' : 'text.primary',
    }}
  >
    {count > 999 ? '999+' : count}
  </Box>
)

interface Props {
  current: ServiceStatus
  counts: ContactCounts | undefined
  onChange: (status: ServiceStatus) => void
}

/** Aguardando, Atendendo, Resolvidos; the first two say how many there are. */
export const StatusTabs = ({ current, counts, onChange }: Props) => (
  <Tabs
    value={current}
    onChange={(_event, status: ServiceStatus) => onChange(status)}
    variant="scrollable"
    scrollButtons={false}
    aria-label="Situação das conversas"
    sx={{ borderBottom: '1px solid', borderColor: 'divider', flexShrink: 0 }}
  >
    {statusTabs.map(({ status, label, shortcut }) => {
      const count = status === 'resolved' ? 0 : (counts?.[status] ?? 0)
      return (
        <Tab
          key={status}
          id={tabId(status)}
          value={status}
          aria-controls={tabPanelId}
          sx={{ minWidth: 0, px: 1.5, flex: '1 0 auto' }}
          label={
            <KeyHint title={label} keys={[shortcut]}>
              <span>
                {label} {count > 0 && <Count count={count} waiting={status === 'waiting'} />}
              </span>
            </KeyHint>
          }
        />
      )
    })}
  </Tabs>
)
