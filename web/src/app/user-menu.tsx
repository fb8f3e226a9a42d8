import Box from '@mui/material/Box'
import IconButton from '@mui/material/IconButton'
import Skeleton from '@mui/material/Skeleton'
import { useState } from 'react'
import { lazyPart } from '../components/layout/lazy-part.tsx'
import { PersonAvatar } from '../components/person-avatar.tsx'
import { useCurrentUser } from '../lib/account/current-user.ts'

const UserMenuList = lazyPart(async () => (await import('./user-menu-list.tsx')).UserMenuList)

export const UserMenu = () => {
  const user = useCurrentUser()
  const [anchor, setAnchor] = useState<HTMLElement | null>(null)

  if (!user)
    return (
      <Box role="status" sx={{ display: 'flex', alignItems: 'center', gap: 2, color: 'text.secondary' }}>
        <Skeleton variant="circular" sx={{ width: 'var(--target-small)', height: 'var(--target-small)' }} />
        Carregando...
      </Box>
    )

  const name = `${user.firstName} ${user.lastName}`
  return (
    <>
      <IconButton
        aria-label={`Menu de ${name}`}
        aria-haspopup="menu"
        aria-expanded={anchor !== null}
        onClick={(event) => setAnchor(event.currentTarget)}
        sx={{ p: 0.5, borderRadius: '50%' }}
      >
        <PersonAvatar name={name} photo={user.profileImageUrl} size="small" />
      </IconButton>
      {anchor && <UserMenuList anchor={anchor} name={name} email={user.email} onClose={() => setAnchor(null)} />}
    </>
  )
}
