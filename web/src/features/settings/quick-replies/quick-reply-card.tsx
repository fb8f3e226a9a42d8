import Box from '@mui/material/Box'
import FormControlLabel from '@mui/material/FormControlLabel'
import IconButton from '@mui/material/IconButton'
import Switch from '@mui/material/Switch'
import Typography from '@mui/material/Typography'
import type { QuickReply } from '@prosa/contracts/http/quick-replies'
import { useId } from 'react'
import EditIcon from '~icons/ic/round-edit'
import { RemovalButton } from '../../../components/forms/removal-button.tsx'
import { OwnHistoryIconButton } from '../../../components/history/own/use-own-history.tsx'
import { KeyHint } from '../../../components/key-hint.tsx'
import { GridCard } from '../../../components/layout/card-grid.tsx'
import { OwnWhyButton } from '../../../components/why/own-why.tsx'
import { clampedTo } from '../../../lib/format/clamped-to.ts'
import { useRemoveQuickReply, useTurnQuickReply } from './api.ts'

export const QuickReplyCard = ({ reply, onEdit }: { reply: QuickReply; onEdit: () => void }) => {
  const { id, shortcut, content, isActive } = reply
  const turn = useTurnQuickReply(id)
  const remove = useRemoveQuickReply()
  const headingId = useId()
  return (
    <GridCard labelledBy={headingId}>
      <Typography
        variant="subtitle1"
        component="h3"
        id={headingId}
        sx={{ color: 'primary.main', overflowWrap: 'anywhere' }}
      >
        /{shortcut}
      </Typography>
      <Typography
        sx={{
          ...clampedTo(5),
          flex: 1,
          whiteSpace: 'pre-line',
        }}
      >
        {content}
      </Typography>
      <Typography variant="caption" component="p" sx={{ color: 'text.secondary' }}>
        Por quê?{' '}
        <OwnWhyButton of={{ kind: 'quickReply', field: 'content', part: id }} what={`Conteúdo de /${shortcut}`}>
          Conteúdo
        </OwnWhyButton>
        <OwnWhyButton of={{ kind: 'quickReply', field: 'shortcut', part: id }} what={`Atalho de /${shortcut}`}>
          Atalho
        </OwnWhyButton>
        <OwnWhyButton of={{ kind: 'quickReply', field: 'status', part: id }} what={`Situação de /${shortcut}`}>
          Situação
        </OwnWhyButton>
      </Typography>
      <Box sx={{ display: 'flex', alignItems: 'center', gap: 1 }}>
        <FormControlLabel
          control={
            <Switch
              checked={isActive}
              slotProps={{ input: { 'aria-label': `Oferecer /${shortcut} no bate-papo` } }}
              onChange={(_event, checked) => turn.mutate(checked)}
            />
          }
          label={isActive ? 'Ativo' : 'Inativo'}
          sx={{ flex: 1, minHeight: 'var(--target)', color: isActive ? 'text.primary' : 'text.secondary' }}
        />
        <OwnHistoryIconButton
          name={`/${shortcut}`}
          target={{ title: `Resposta rápida /${shortcut}`, filters: { record: `quickReply:${id}` } }}
        />
        <KeyHint title="Editar">
          <IconButton aria-label={`Editar /${shortcut}`} color="secondary" onClick={onEdit}>
            <EditIcon />
          </IconButton>
        </KeyHint>
        <RemovalButton
          hint="Excluir"
          label={`Excluir /${shortcut}`}
          title={`Excluir /${shortcut}`}
          sentence="Tem certeza que deseja excluir esta resposta rápida?"
          confirm="Excluir"
          pending={remove.isPending}
          onRemove={(options) => remove.mutate(id, options)}
        />
      </Box>
    </GridCard>
  )
}
