import Drawer, { type DrawerProps } from '@mui/material/Drawer'
import { useEffect, useState } from 'react'

/** A drawer that slides in even where it is fetched only when it is opened: one that is mounted open just stands there. */
export const SlidingDrawer = ({ open, ...props }: DrawerProps) => {
  const [isMounted, setMounted] = useState(false)
  useEffect(() => setMounted(true), [])
  return <Drawer {...props} open={open && isMounted} />
}
