import Box from '@mui/material/Box'
import Tab from '@mui/material/Tab'
import Tabs from '@mui/material/Tabs'
import { type ReactNode, useId } from 'react'
import { Link } from 'react-router-dom'

interface Props<Name extends string> {
  /** What the tabs are about, for screen readers. */
  label: string
  tabs: readonly { name: Name; label: string; to: string }[]
  /** The open one, as the address names it. */
  current: Name
  /** More than fit on a phone: they scroll, with buttons. */
  scrollable?: boolean
  /** What the open tab shows. */
  children: ReactNode
}

/** Tabs that are links: the address names the open one, and back leads to the one before. */
export const AddressTabs = <Name extends string>({ label, tabs, current, scrollable, children }: Props<Name>) => {
  const id = useId()
  const panelId = `${id}-panel`
  const tabId = (name: Name) => `${id}-${name}`
  return (
    <Box sx={{ display: 'grid', gap: 4, gridTemplateColumns: 'minmax(0, 1fr)' }}>
      <Tabs
        value={current}
        aria-label={label}
        {...(scrollable && { variant: 'scrollable', allowScrollButtonsMobile: true })}
        sx={{ borderBottom: '1px solid', borderColor: 'divider' }}
      >
        {tabs.map(({ name, label: text, to }) => (
          <Tab
            key={name}
            value={name}
            id={tabId(name)}
            label={text}
            component={Link}
            to={to}
            aria-controls={name === current ? panelId : undefined}
          />
        ))}
      </Tabs>
      <Box role="tabpanel" id={panelId} aria-labelledby={tabId(current)} sx={{ minWidth: 0 }}>
        {children}
      </Box>
    </Box>
  )
}
