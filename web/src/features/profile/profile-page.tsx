import Box from '@mui/material/Box'
import Button from '@mui/material/Button'
import Typography from '@mui/material/Typography'
import { Link } from 'react-router-dom'
import BackIcon from '~icons/ic/round-arrow-back'
import { LoadingScreen } from '../../components/loading-screen.tsx'
import { PageFrame } from '../../components/page-frame.tsx'
import { PageHeading } from '../../components/page-heading.tsx'
import { PersonAvatar } from '../../components/person-avatar.tsx'
import { useCurrentUser } from '../../lib/current-user.ts'
import { paths } from '../../lib/paths.ts'
import { EraseAccount } from './erase-account.tsx'
import { ExportAccount } from './export-account.tsx'
import { PasswordForm } from './password-form.tsx'
import { PhotoField } from './photo-field.tsx'
import { ProfileForm } from './profile-form.tsx'

export const ProfilePage = () => {
  const user = useCurrentUser()
  if (!user) return <LoadingScreen />
  const name = `${user.firstName} ${user.lastName}`
  return (
    <PageFrame>
      <Box>
        <Button component={Link} to={paths.home} color="inherit" startIcon={<BackIcon />} sx={{ ml: -2, mb: 2 }}>
          Voltar
        </Button>
        <PageHeading title="Perfil" />
      </Box>
      <Box
        sx={{
          display: 'grid',
          gap: 8,
          gridTemplateColumns: { xs: 'minmax(0, var(--form-width))', md: 'repeat(2, minmax(0, var(--form-width)))' },
          alignItems: 'start',
        }}
      >
        <Box sx={{ display: 'flex', alignItems: 'center', gap: 3, minWidth: 0, gridColumn: '1 / -1' }}>
          <PersonAvatar name={name} photo={user.profileImageUrl} size="large" />
          <Box sx={{ minWidth: 0 }}>
            <Typography variant="subtitle2" component="p" noWrap>
              {name}
            </Typography>
            <Typography noWrap sx={{ color: 'text.secondary' }}>
              {user.email}
            </Typography>
            <PhotoField hasPhoto={user.profileImageUrl !== null} />
          </Box>
        </Box>
        <Box component="section" aria-labelledby="person-heading" sx={{ display: 'grid', gap: 4 }}>
          <Typography id="person-heading" variant="h2">
            Seus dados
          </Typography>
          <ProfileForm user={user} />
        </Box>
        <Box component="section" aria-labelledby="password-heading" sx={{ display: 'grid', gap: 4 }}>
          <Typography id="password-heading" variant="h2">
            Senha
          </Typography>
          <PasswordForm />
        </Box>
        <ExportAccount />
        <EraseAccount email={user.email} />
      </Box>
    </PageFrame>
  )
}
