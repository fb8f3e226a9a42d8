import Box from '@mui/material/Box'
import Tab from '@mui/material/Tab'
import Tabs from '@mui/material/Tabs'
import { type ReactNode, useEffect, useId } from 'react'
import { Link } from 'react-router-dom'

interface Props<Name extends string> {
  label: string
  tabs: readonly { name: Name; label: string; to: string }[]
  current: Name
  scrollable?: boolean
  children: ReactNode
}

/** Tabs are links: the browser's back returns to the previous tab. */
export const AddressTabs = <Name extends string>({ label, tabs, current, scrollable, children }: Props<Name>) => {
  const id = useId()
  const panelId = `${id}-panel`
  const tabId = (name: Name) => `${id}-${name}`
  const currentId = tabId(current)
  useEffect(() => {
    document.getElementById(currentId)?.scrollIntoView?.({ block: 'nearest', inline: 'center' })
  }, [currentId])
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
