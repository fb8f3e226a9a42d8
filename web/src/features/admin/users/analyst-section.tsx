import Box from '@mui/material/Box'
import Button from '@mui/material/Button'
import Typography from '@mui/material/Typography'
import type { ListedUser } from '@prosa/contracts/http/administration/admin-lists'
import { useState } from 'react'
import { ConfirmDialog } from '../../../components/forms/confirm-dialog.tsx'
import { useSetAnalyst } from './api.ts'

interface Props {
  user: ListedUser
  reason: string | undefined
  onDone: () => void
}

export const AnalystSection = ({ user, reason, onDone }: Props) => {
  const [isAsking, setAsking] = useState(false)
  const set = useSetAnalyst()
  const name = `${user.firstName} ${user.lastName}`
  const isAnalyst = user.roles.includes('analyst')
  const decide = () =>
    set.mutate({ id: user.id, isAnalyst: !isAnalyst, reason }, { onSuccess: onDone, onError: () => setAsking(false) })
  return (
    <Box component="section" aria-label="Análise de dados" sx={{ display: 'grid', gap: 3, justifyItems: 'start' }}>
      <Typography variant="h3">Análise de dados</Typography>
      <Typography sx={{ color: 'text.secondary' }}>
        {isAnalyst
          ? 'Esta conta é de analista: lê os dados de todas as contas, com pseudônimos.'
          : 'Um analista lê os dados de todas as contas, com pseudônimos, e não vê mais nada.'}
      </Typography>
      <Button variant="outlined" color="inherit" disabled={set.isPending} onClick={() => setAsking(true)}>
        {isAnalyst ? 'Deixar de ser analista' : 'Tornar analista'}
      </Button>
      <ConfirmDialog
        open={isAsking}
        title={isAnalyst ? 'Deixar de ser analista?' : 'Tornar analista?'}
        sentence={
          isAnalyst
            ? `${name} volta a ver as telas de um assinante, e as chaves de analista da conta deixam de valer.`
            : `${name} passa a ver só a página Dados e o próprio perfil. O atendimento desta conta, se houver, fica fechado enquanto isso.`
        }
        confirm={isAnalyst ? 'Deixar de ser analista' : 'Tornar analista'}
        pending={set.isPending}
        onConfirm={decide}
        onCancel={() => setAsking(false)}
      />
    </Box>
  )
}
