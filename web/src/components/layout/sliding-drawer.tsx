import Drawer, { type DrawerProps } from '@mui/material/Drawer'
import { useEffect, useState } from 'react'

/** Opens after mounting: a drawer that mounts open does not animate. */
export const SlidingDrawer = ({ open, ...props }: DrawerProps) => {
  const [isMounted, setMounted] = useState(false)
  useEffect(() => setMounted(true), [])
  return <Drawer {...props} open={open && isMounted} />
}
