import type { DrawerProps } from '@mui/material/Drawer'
import { useState } from 'react'
import { lazyPart } from './lazy-part.tsx'

const SlidingDrawer = lazyPart<DrawerProps>(async () => (await import('./sliding-drawer.tsx')).SlidingDrawer)

/** A drawer of a screen that most people use without ever opening it: it is fetched when the page is idle, or when it opens. */
export const LateDrawer = (props: DrawerProps) => {
  const [wasOpen, setWasOpen] = useState(props.open)
  if (props.open && !wasOpen) setWasOpen(true)
  return wasOpen && <SlidingDrawer {...props} />
}
