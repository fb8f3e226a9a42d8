import type { DrawerProps } from '@mui/material/Drawer'
import { useState } from 'react'
import { lazyPart } from './lazy-part.tsx'

const SlidingDrawer = lazyPart<DrawerProps>(async () => (await import('./sliding-drawer.tsx')).SlidingDrawer)

/** Rarely opened, hence loaded when idle or on opening. */
export const LateDrawer = (props: DrawerProps) => {
  const [wasOpen, setWasOpen] = useState(props.open)
  if (props.open && !wasOpen) setWasOpen(true)
  return wasOpen && <SlidingDrawer {...props} />
}
