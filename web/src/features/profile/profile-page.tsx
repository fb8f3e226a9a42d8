import Box from '@mui/material/Box'
import Button from '@mui/material/Button'
import Typography from '@mui/material/Typography'
import type { SystemStyleObject } from '@mui/system'
import type { User } from '@prosa/contracts/http/accounts/auth'
import { type ReactNode, useId, useState } from 'react'
import { ExportData } from '../../components/export-data.tsx'
import { Field } from '../../components/forms/field.tsx'
import { FormSummary } from '../../components/forms/form-summary.tsx'
import { PasswordField } from '../../components/forms/password-field.tsx'
import { LoadingScreen } from '../../components/layout/loading-screen.tsx'
import { PageFrame } from '../../components/layout/page-frame.tsx'
import { BackLink, PageHeading } from '../../components/layout/page-heading.tsx'
import { ConfirmEmailNotice } from '../../components/notices/confirm-email-notice.tsx'
import { PersonAvatar } from '../../components/person-avatar.tsx'
import { OwnWhyButton, OwnWhyRow } from '../../components/why/own-why.tsx'
import { termsDay } from '../../lib/account/accept-terms.ts'
import { useCurrentUser } from '../../lib/account/current-user.ts'
import { dateAndTime } from '../../lib/format/format.ts'
import { useForm } from '../../lib/forms/use-form.ts'
import { privacyPath, termsPath } from '../../lib/paths.ts'
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

interface SectionProps {
  title: string
  style?: SystemStyleObject
  children: ReactNode
}

const Section = ({ title, style = { gap: 4 }, children }: SectionProps) => {
  const headingId = useId()
  return (
    <Box component="section" aria-labelledby={headingId} sx={{ display: 'grid', ...style }}>
      <Typography id={headingId} variant="h2">
        {title}
      </Typography>
      {children}
    </Box>
  )
}

const wideStyle = {
  gap: 3,
  gridColumn: '1 / -1',
  '& p': { maxWidth: '64ch' },
  pt: 6,
  borderTop: '1px solid',
  borderColor: 'divider',
} as const

const Terms = ({ terms: { accepted } }: Pick<User, 'terms'>) => (
  <Section title="Termos e privacidade" style={wideStyle}>
    <Typography sx={{ color: 'text.secondary' }}>
      {accepted
        ? `Você aceitou a versão de ${termsDay(accepted.version)} em ${dateAndTime(accepted.at, Date.now())}.`
        : 'Você ainda não aceitou os termos de uso e a política de privacidade.'}{' '}
      {accepted && <OwnWhyButton of={{ kind: 'user', field: 'terms' }} what="Termos aceitos" />}
    </Typography>
    <Box sx={{ display: 'flex', flexWrap: 'wrap', gap: 4 }}>
      <a href={termsPath} target="_blank" rel="noopener">
        Termos de uso
      </a>
      <a href={privacyPath} target="_blank" rel="noopener">
        Política de privacidade
      </a>
    </Box>
  </Section>
)

const ExportAccount = () => (
  <Section title="Seus dados em um arquivo" style={wideStyle}>
    <Typography sx={{ color: 'text.secondary' }}>
      Um arquivo ZIP com tudo o que o Prosa guarda da sua conta: perfil, compras, conexões, respostas rápidas, contatos,
      notas, conversas com seus arquivos e o histórico. Senhas e chaves de acesso ficam de fora.
    </Typography>
    <ExportData label="Exportar meus dados" target={{ kind: 'account' }} />
  </Section>
)

const EraseAccount = ({ email }: { email: string }) => {
  const [isAsking, setAsking] = useState(false)
  return (
    <Section title="Excluir minha conta" style={wideStyle}>
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
    </Section>
  )
}

export const ProfilePage = () => {
  const user = useCurrentUser()
  if (!user) return <LoadingScreen />
  const name = `${user.firstName} ${user.lastName}`
  return (
    <PageFrame>
      <Box>
        <BackLink />
        <PageHeading title="Perfil" />
      </Box>
      <ConfirmEmailNotice about="account" />
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
        <Section title="Seus dados">
          <ProfileForm user={user} />
          <OwnWhyRow kind="user" names={{ name: 'Nome', email: 'E-mail', emailConfirmed: 'E-mail confirmado' }} />
        </Section>
        <Section title="Senha">
          <PasswordForm />
        </Section>
        <Terms terms={user.terms} />
        <ExportAccount />
        <EraseAccount email={user.email} />
      </Box>
    </PageFrame>
  )
}
