import Box from '@mui/material/Box'
import Button from '@mui/material/Button'
import Typography from '@mui/material/Typography'
import type { User } from '@prosa/contracts/http/accounts/auth'
import { useState } from 'react'
import { Link } from 'react-router-dom'
import BackIcon from '~icons/ic/round-arrow-back'
import { ExportData } from '../../components/export-data.tsx'
import { Field } from '../../components/field.tsx'
import { FormSummary } from '../../components/form-summary.tsx'
import { LoadingScreen } from '../../components/loading-screen.tsx'
import { PageFrame } from '../../components/page-frame.tsx'
import { PageHeading } from '../../components/page-heading.tsx'
import { PasswordField } from '../../components/password-field.tsx'
import { PersonAvatar } from '../../components/person-avatar.tsx'
import { useCurrentUser } from '../../lib/current-user.ts'
import { paths } from '../../lib/paths.ts'
import { useForm } from '../../lib/use-form.ts'
import { useChangePassword, useSaveProfile } from './api.ts'
import { EraseAccountDialog } from './erase-account-dialog.tsx'
import { PhotoField } from './photo-field.tsx'

/** A new e-mail needs the password. */
const ProfileForm = ({ user }: { user: User }) => {
  const { firstName, lastName, email } = user
  const isOther = (email: string) => email.trim().toLowerCase() !== user.email
  const form = useForm(useState({ firstName, lastName, email, currentPassword: '' }), {
    command: useSaveProfile(),
    toInput: ({ currentPassword, ...names }) => (isOther(names.email) ? { ...names, currentPassword } : names),
    failed: 'Erro ao atualizar perfil.',
    onDone: () => form.set({ currentPassword: '' }),
  })
  return (
    <Box component="form" noValidate onSubmit={form.submit} sx={{ display: 'grid', gap: 4 }}>
      <Field label="Nome" autoComplete="given-name" {...form.bind('firstName')} />
      <Field label="Sobrenome" autoComplete="family-name" {...form.bind('lastName')} />
      <Field label="Email" autoComplete="email" type="email" {...form.bind('email')} />
      {isOther(form.values.email) && (
        <PasswordField
          label="Senha atual"
          autoComplete="current-password"
          help="Para trocar o e-mail, confirme sua senha."
          {...form.bind('currentPassword')}
        />
      )}
      <FormSummary sentence={form.summary} />
      <Button type="submit" variant="contained" disabled={form.isPending} sx={{ justifySelf: 'start' }}>
        {form.isPending ? 'Salvando...' : 'Salvar alterações'}
      </Button>
    </Box>
  )
}

const empty = { currentPassword: '', newPassword: '', confirmPassword: '' }

const PasswordForm = () => {
  const form = useForm(useState(empty), {
    command: useChangePassword(),
    toInput: ({ currentPassword, newPassword }) => ({ currentPassword, newPassword }),
    check: ({ newPassword, confirmPassword }) => ({
      confirmPassword: newPassword === confirmPassword ? undefined : 'As senhas não coincidem.',
    }),
    failed: 'Não foi possível trocar a senha.',
    onDone: () => form.setValues(empty),
  })
  const { bind } = form
  return (
    <Box component="form" noValidate onSubmit={form.submit} sx={{ display: 'grid', gap: 4 }}>
      <PasswordField label="Senha atual" autoComplete="current-password" {...bind('currentPassword')} />
      <PasswordField
        label="Nova senha"
        autoComplete="new-password"
        help="Pelo menos 6 caracteres. Sua conta sai dos outros aparelhos."
        {...bind('newPassword')}
      />
      <PasswordField label="Confirmar nova senha" autoComplete="new-password" {...bind('confirmPassword')} />
      <FormSummary sentence={form.refusals > 0 ? '1 campo precisa de atenção.' : form.summary} />
      <Button type="submit" variant="outlined" disabled={form.isPending} sx={{ justifySelf: 'start' }}>
        {form.isPending ? 'Trocando...' : 'Trocar senha'}
      </Button>
    </Box>
  )
}

const ExportAccount = () => (
  <Box
    component="section"
    aria-labelledby="export-heading"
    sx={{
      display: 'grid',
      gap: 3,
      gridColumn: '1 / -1',
      '& p': { maxWidth: '64ch' },
      pt: 6,
      borderTop: '1px solid',
      borderColor: 'divider',
    }}
  >
    <Typography id="export-heading" variant="h2">
      Seus dados em um arquivo
    </Typography>
    <Typography sx={{ color: 'text.secondary' }}>
      Um arquivo ZIP com tudo o que o Prosa guarda da sua conta: perfil, compras, conexões, respostas rápidas, contatos,
      notas, conversas com seus arquivos e o histórico. Senhas e chaves de acesso ficam de fora.
    </Typography>
    <ExportData label="Exportar meus dados" target={{ kind: 'account' }} />
  </Box>
)

const EraseAccount = ({ email }: { email: string }) => {
  const [isAsking, setAsking] = useState(false)
  return (
    <Box
      component="section"
      aria-labelledby="erase-heading"
      sx={{
        display: 'grid',
        gap: 3,
        gridColumn: '1 / -1',
        '& p': { maxWidth: '64ch' },
        pt: 6,
        borderTop: '1px solid',
        borderColor: 'divider',
      }}
    >
      <Typography id="erase-heading" variant="h2">
        Excluir minha conta
      </Typography>
      <Typography sx={{ color: 'text.secondary' }}>
        Apaga do Prosa seus dados, seus contatos, as conversas com seus arquivos, as respostas rápidas e as conexões com
        o WhatsApp. Não há como desfazer. No WhatsApp, no seu celular e no dos seus clientes, as conversas continuam.
      </Typography>
      <Typography sx={{ color: 'text.secondary' }}>
        Fica só o registro de que houve uma conta e das datas do que aconteceu nela, sem nome, telefone, e-mail ou
        mensagem.
      </Typography>
      <Button color="error" variant="outlined" onClick={() => setAsking(true)} sx={{ justifySelf: 'start' }}>
        Excluir minha conta
      </Button>
      {isAsking && <EraseAccountDialog email={email} onClose={() => setAsking(false)} />}
    </Box>
  )
}

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
