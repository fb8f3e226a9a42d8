import Box from '@mui/material/Box'
import ButtonBase from '@mui/material/ButtonBase'
import type { ContactCounts, Queue, ServiceStatus } from '@prosa/contracts/http/live-chat'
import { type KeyboardEvent, memo, useRef } from 'react'
import { KeyHint } from '../../../components/key-hint.tsx'

export const statusTabs: { status: ServiceStatus; label: string; shortcut: string }[] = [
  { status: 'waiting', label: 'Aguardando', shortcut: '1' },
  { status: 'attending', label: 'Atendendo', shortcut: '2' },
  { status: 'resolved', label: 'Resolvidos', shortcut: '3' },
]

/** Who is with the robot waits, behind the same tab. */
export const tabOf = (queue: Queue): ServiceStatus => (queue === 'bot' ? 'waiting' : queue)

export const tabId = (status: ServiceStatus): string => `tab-${status}`
export const tabPanelId = 'live-chat-tab-panel'

const Count = ({ count, waiting }: { count: number; waiting: boolean }) => (
  <Box
    component="span"
    sx={{
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

const stepTo = (key: string, index: number): number | undefined => {
  const last = statusTabs.length - 1
  if (key === 'ArrowRight') return index === last ? 0 : index + 1
  if (key === 'ArrowLeft') return index === 0 ? last : index - 1
  if (key === 'Home') return 0
  return key === 'End' ? last : undefined
}

interface Props {
  /** Null while a search covers all tabs. */
  current: Queue | null
  counts: ContactCounts | undefined
  onChange: (status: ServiceStatus) => void
}

export const StatusTabs = memo(({ current: queue, counts, onChange }: Props) => {
  const current = queue && tabOf(queue)
  const list = useRef<HTMLDivElement>(null)
  // Without a current tab Tab reaches the first.
  const reached = Math.max(
    0,
    statusTabs.findIndex(({ status }) => status === current),
  )
  const onKeyDown = (event: KeyboardEvent) => {
    const to = stepTo(event.key, reached)
    const tab = to === undefined ? undefined : statusTabs[to]
    if (!tab) return
    event.preventDefault()
    onChange(tab.status)
    list.current?.querySelector<HTMLElement>(`#${tabId(tab.status)}`)?.focus()
  }
  return (
    <Box
      ref={list}
      role="tablist"
      aria-label="Situação das conversas"
      onKeyDown={onKeyDown}
      sx={{ display: 'flex', borderBottom: '1px solid', borderColor: 'divider', flexShrink: 0, overflowX: 'auto' }}
    >
      {statusTabs.map(({ status, label, shortcut }, index) => {
        const count = status === 'resolved' ? 0 : (counts?.[status] ?? 0)
        const selected = status === current
        return (
          <KeyHint key={status} title={label} keys={[shortcut]}>
            <ButtonBase
              id={tabId(status)}
              role="tab"
              aria-selected={selected}
              aria-controls={tabPanelId}
              tabIndex={index === reached ? 0 : -1}
              onClick={() => onChange(status)}
              sx={{
                flex: '1 0 auto',
                minHeight: 44,
                px: 1.5,
                gap: 1,
                typography: 'button',
                color: selected ? 'primary.main' : 'text.secondary',
                boxShadow: selected ? 'inset 0 -2px 0 var(--primary)' : undefined,
                transition: 'color var(--state)',
              }}
            >
              {label} {count > 0 && <Count count={count} waiting={status === 'waiting'} />}
            </ButtonBase>
          </KeyHint>
        )
      })}
    </Box>
  )
})
