import Box from '@mui/material/Box'
import Button from '@mui/material/Button'
import Typography from '@mui/material/Typography'
import type { QuickReply } from '@prosa/contracts/http/quick-replies'
import { useEffect, useRef } from 'react'
import { Link } from 'react-router-dom'
import { clampedTo } from '../../../../lib/format/clamped-to.ts'
import { plural } from '../../../../lib/format/format.ts'
import { sentenceOf } from '../../../../lib/http/http.ts'
import { settingsSection } from '../../../../lib/paths.ts'
import type { QuickReplyPopupState } from './use-quick-replies.ts'

const hint = 'Digite "/" para ver todas as respostas ou comece a digitar para filtrar'

interface OptionProps {
  id: string
  reply: QuickReply
  pointed: boolean
  onPoint: () => void
  onChoose: () => void
}

const Option = ({ id, reply, pointed, onPoint, onChoose }: OptionProps) => {
  const row = useRef<HTMLLIElement>(null)
  useEffect(() => {
    if (pointed) row.current?.scrollIntoView?.({ block: 'nearest' })
  }, [pointed])
  return (
    <Box
      component="li"
      ref={row}
      id={id}
      role="option"
      aria-selected={pointed}
      onPointerMove={pointed ? undefined : onPoint}
      onClick={onChoose}
      sx={{
        px: 4,
        py: 2,
        minHeight: 'var(--target)',
        cursor: 'pointer',
        bgcolor: pointed ? 'primarySoft' : 'surface',
        boxShadow: pointed ? 'inset 3px 0 0 var(--primary)' : undefined,
      }}
    >
      <Typography noWrap component="p" variant="subtitle2" sx={{ color: 'primary.main' }}>
        /{reply.shortcut}
      </Typography>
      <Typography component="p" sx={{ ...clampedTo(2), color: 'text.primary' }}>
        {reply.content}
      </Typography>
    </Box>
  )
}

const Nothing = ({ search, hasReplies, isPending, error, onRetry }: QuickReplyPopupState) => {
  if (isPending) return 'Carregando respostas rápidas...'
  if (error)
    return (
      <>
        {sentenceOf(error, 'As respostas rápidas não puderam ser lidas.')}{' '}
        <Button size="small" onClick={onRetry}>
          Tentar de novo
        </Button>
      </>
    )
  if (hasReplies) return `Nenhuma resposta rápida encontrada para "${search}"`
  return (
    <>
      Você ainda não tem respostas rápidas ativas.{' '}
      <Button size="small" component={Link} to={settingsSection('respostas-rapidas')}>
        Criar resposta rápida
      </Button>
    </>
  )
}

/** Needs a positioned parent; keys come from `useQuickReplies`. */
export const QuickReplyPopup = (popup: QuickReplyPopupState) => {
  const { listId, optionId, found, index, isPending, error, onChoose, onPoint } = popup
  return (
    <Box
      // The focus stays in the composer.
      onPointerDown={(event) => event.preventDefault()}
      onMouseDown={(event) => event.preventDefault()}
      sx={{
        position: 'absolute',
        zIndex: 'appBar',
        bottom: '100%',
        insetInline: { xs: 8, md: 16 },
        mb: 2,
        display: 'flex',
        flexDirection: 'column',
        overflow: 'hidden',
        bgcolor: 'surface',
        border: '1px solid',
        borderColor: 'divider',
        borderRadius: 'var(--radius-panel)',
        boxShadow: 'var(--shadow-float)',
      }}
    >
      <Box sx={{ display: 'flex', alignItems: 'baseline', gap: 2, px: 4, pt: 2, pb: 1 }}>
        <Typography variant="subtitle2" component="p" id={`${listId}-title`}>
          Respostas Rápidas
        </Typography>
        <Typography variant="caption" role="status" sx={{ color: 'text.secondary' }}>
          {!isPending && !error && plural(found.length, 'resposta', 'respostas')}
        </Typography>
      </Box>
      <Box
        component="ul"
        id={listId}
        role="listbox"
        aria-labelledby={`${listId}-title`}
        tabIndex={0}
        sx={{
          m: 0,
          p: 0,
          listStyle: 'none',
          maxHeight: 'var(--popup-height)',
          overflowY: 'auto',
          outlineOffset: '-2px',
        }}
      >
        {found.map((reply, at) => (
          <Option
            key={reply.id}
            id={optionId(at)}
            reply={reply}
            pointed={at === index}
            onPoint={() => onPoint(at)}
            onChoose={() => onChoose(reply.content)}
          />
        ))}
      </Box>
      {found.length === 0 && (
        <Typography sx={{ px: 4, py: 2, color: 'text.secondary', overflowWrap: 'anywhere' }} component="div">
          <Nothing {...popup} />
        </Typography>
      )}
      <Typography
        variant="caption"
        component="p"
        sx={{ px: 4, py: 1.5, borderTop: '1px solid', borderColor: 'divider', color: 'text.secondary', flex: 'none' }}
      >
        {hint}
      </Typography>
    </Box>
  )
}
